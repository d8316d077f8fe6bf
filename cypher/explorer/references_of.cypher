// Works that some papers cite.
// param papers (papers): the citing papers
// returns: citing, cited, importance
UNWIND $papers AS paper_id
MATCH (a:Paper {id: paper_id})-[c:CITES]->(b:Paper)
RETURN a.id AS citing, b.id AS cited, c.importance AS importance
