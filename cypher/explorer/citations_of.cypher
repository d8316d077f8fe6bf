// Papers that cite some works.
//
// OPTIONAL: otherwise ladybug reads all citations of the graph.
// param papers (papers): the cited works
// returns: citing, cited, importance, self; null before `platform score`
UNWIND $papers AS paper_id
MATCH (b:Paper {id: paper_id})
OPTIONAL MATCH (b)<-[c:CITES]-(a:Paper)
WITH a, c, b
WHERE a.id IS NOT NULL
RETURN a.id AS citing, b.id AS cited, c.importance AS importance, c.self AS self
