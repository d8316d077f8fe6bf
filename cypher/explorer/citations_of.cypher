// Papers that cite some works.
// param papers (papers): the cited works
// returns: citing, cited, importance, self; null before `platform score`
UNWIND $papers AS paper_id
MATCH (a:Paper)-[c:CITES]->(b:Paper {id: paper_id})
RETURN a.id AS citing, b.id AS cited, c.importance AS importance, c.self AS self
