// The works that matter most to those who cite them: the sum of importance over all citations.
// One citation in passing adds little; a work discussed again and again in results adds much.
// param min_citing = 2: fewest citing papers; 1 lets in works that only one paper dwells on
// param limit = 20: how many works
MATCH (:Paper)-[c:CITES]->(p:Paper)
WHERE c.importance IS NOT NULL
WITH p.id AS id, p.title AS title, p.year AS year, count(*) AS cited_by,
     sum(c.importance) AS importance, avg(c.importance) AS mean_importance
WHERE cited_by >= $min_citing
RETURN id, title, year, cited_by, importance, mean_importance
ORDER BY importance DESC, id
LIMIT $limit
