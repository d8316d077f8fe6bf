// What works receive: number of citing papers, and the sum of importance (null before scoring).
// returns: id, cited_by, importance
MATCH (:Paper)-[c:CITES]->(p:Paper)
RETURN p.id AS id, count(*) AS cited_by, sum(c.importance) AS importance
