// Citations that leave or reach some papers, with at least some importance.
// param papers (papers): the papers
// param least = 0: smallest importance; 0 includes citations without a score
UNWIND $papers AS paper_id
MATCH (a:Paper {id: paper_id})-[c:CITES]->(b:Paper)
WHERE c.importance >= $least OR $least <= 0
RETURN a.id AS citing, b.id AS cited, c.importance AS importance, c.self AS self,
       c.mentions AS mentions
UNION ALL
UNWIND $papers AS paper_id
MATCH (a:Paper)-[c:CITES]->(b:Paper {id: paper_id})
WHERE c.importance >= $least OR $least <= 0
RETURN a.id AS citing, b.id AS cited, c.importance AS importance, c.self AS self,
       c.mentions AS mentions
