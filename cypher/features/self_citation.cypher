// Finds the self-citations: pairs whose citing and cited paper share an author (CIA, section 3.1).
//
// The definition of S: 1 for the pairs returned, 0 for all others. Starts from the citing papers'
// authors, never from all pairs: a per-pair EXISTS did not finish on Neo4j.
// param papers: ids of citing papers, each once; run it in slices of a few thousand
// returns: citing, cited, shared (number of shared authors)
UNWIND $papers AS paper
MATCH (citing:Paper {id: paper})<-[:WROTE]-(author:Author)-[:WROTE]->(cited:Paper)
MATCH (citing)-[pair:CITES]->(cited)
WITH citing, cited, pair, count(DISTINCT author.id) AS shared
RETURN citing.id AS citing, cited.id AS cited, shared
