// Citations that leave or reach some papers, with at least some importance.
// param papers (papers): those papers
// param least = 0: smallest importance; 0 takes citations without a score too
UNWIND $papers AS wanted
MATCH (a:Paper {id: wanted})-[c:CITES]->(b:Paper)
WHERE c.importance >= $least OR $least <= 0
RETURN a.id AS citing, b.id AS cited, c.importance AS importance, c.self AS self,
       c.mentions AS mentions
UNION ALL
UNWIND $papers AS wanted
MATCH (a:Paper)-[c:CITES]->(b:Paper {id: wanted})
WHERE c.importance >= $least OR $least <= 0
RETURN a.id AS citing, b.id AS cited, c.importance AS importance, c.self AS self,
       c.mentions AS mentions
