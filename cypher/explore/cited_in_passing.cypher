// Often cited, seldom important: where a citation count says least.
// param least = 10: fewest scored citations of a work that counts
// param limit = 20: how many works
MATCH (:Paper)-[c:CITES]->(b:Paper)
WHERE c.importance IS NOT NULL
WITH b.id AS id, b.title AS title, count(*) AS citations, avg(c.importance) AS importance
WHERE citations >= $least
RETURN id, title, citations, importance
ORDER BY importance, id
LIMIT $limit
