// Papers that are notices about some works.
//
// OPTIONAL: otherwise ladybug reads all notices of the graph.
// param papers (papers): the works concerned
// returns: citing (the notice), cited (the work)
UNWIND $papers AS paper_id
MATCH (b:Paper {id: paper_id})
OPTIONAL MATCH (b)<-[:CONCERNS]-(:Notice)-[:PUBLISHED_AS]->(a:Paper)
WITH a, b
WHERE a.id IS NOT NULL
RETURN DISTINCT a.id AS citing, b.id AS cited
