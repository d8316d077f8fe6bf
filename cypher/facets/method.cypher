// The edges of the method subgraph, weighted by how many contexts have that intent.
//
// The definition of G_method (FLeW, Eq. 2 and 3): an edge is in it if at least one context of the
// pair has the intent, and may be in several facets. Like CITES, none leads from a paper to itself.
// Its vertices are those of facets/vertices.
// param papers (papers): citing papers, each once; in slices of a few hundred
// returns: citing, cited, weight
UNWIND $papers AS paper_id
MATCH (citing:Paper {id: paper_id})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(context:Occurrence)-[:REFERS_TO]->(cited:Paper)
WHERE 'method' IN context.intents AND citing.id <> cited.id
RETURN citing.id AS citing, cited.id AS cited, count(context) AS weight
