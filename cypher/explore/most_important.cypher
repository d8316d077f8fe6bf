// The works that matter most to those who cite them: the sum of importance over all citations.
// One citation in passing adds little; a work discussed again and again in results adds much.
// param limit: how many works
MATCH (:Paper)-[c:CITES]->(p:Paper)
WHERE c.importance IS NOT NULL
RETURN p.id AS id, p.title AS title, p.year AS year, count(*) AS cited_by,
       sum(c.importance) AS importance, avg(c.importance) AS mean_importance
ORDER BY importance DESC, id
LIMIT $limit
