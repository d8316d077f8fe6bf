// The works with the largest sum of importance over all citations.
// One citation in passing adds little; a work discussed again and again in results adds much.
// param min_citing = 2: minimum number of citing papers; 1 includes works of one citing paper
// param limit = 20: maximum number of works
MATCH (:Paper)-[c:CITES]->(p:Paper)
WHERE c.importance IS NOT NULL
WITH p.id AS id, p.title AS title, p.year AS year, count(*) AS cited_by,
     sum(c.importance) AS importance, avg(c.importance) AS mean_importance
WHERE cited_by >= $min_citing
RETURN id, title, year, cited_by, importance, mean_importance
ORDER BY importance DESC, id
LIMIT $limit
