// Writes S = 0 to pairs without a value, and to self-citations whose papers share no author any more.
// param papers: ids of citing papers, each once; after features/write_self_citation
// writes: CITES.self
// returns: written (number of pairs)
UNWIND $papers AS paper
MATCH (citing:Paper {id: paper})-[pair:CITES]->(cited:Paper)
WHERE pair.self IS NULL
  OR (pair.self = 1 AND NOT EXISTS { MATCH (citing)<-[:WROTE]-(:Author)-[:WROTE]->(cited) })
SET pair.self = 0
RETURN count(pair) AS written
