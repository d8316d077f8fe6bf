// Works that some papers cite.
//
// OPTIONAL: otherwise ladybug reads all citations of the graph.
// param papers (papers): the citing papers
// returns: citing, cited, importance
UNWIND $papers AS paper_id
MATCH (a:Paper {id: paper_id})
OPTIONAL MATCH (a)-[c:CITES]->(b:Paper)
WITH a, c, b
WHERE b.id IS NOT NULL
RETURN a.id AS citing, b.id AS cited, c.importance AS importance
