// Citations that leave or reach some papers, with at least some importance.
//
// OPTIONAL: otherwise ladybug reads all citations of the graph.
// param papers (papers): the papers
// param least = 0: smallest importance; 0 includes citations without a score
UNWIND $papers AS paper_id
MATCH (a:Paper {id: paper_id})
OPTIONAL MATCH (a)-[c:CITES]->(b:Paper)
WITH a, c, b
WHERE b.id IS NOT NULL AND (c.importance >= $least OR $least <= 0)
RETURN a.id AS citing, b.id AS cited, c.importance AS importance, c.self AS self,
       c.mentions AS mentions
UNION ALL
UNWIND $papers AS paper_id
MATCH (b:Paper {id: paper_id})
OPTIONAL MATCH (b)<-[c:CITES]-(a:Paper)
WITH a, c, b
WHERE a.id IS NOT NULL AND (c.importance >= $least OR $least <= 0)
RETURN a.id AS citing, b.id AS cited, c.importance AS importance, c.self AS self,
       c.mentions AS mentions
