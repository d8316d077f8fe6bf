// Works that are often cited with low importance, for which citation counts mislead most.
// param least = 10: minimum number of scored citations of a work
// param limit = 20: maximum number of works
MATCH (:Paper)-[c:CITES]->(b:Paper)
WHERE c.importance IS NOT NULL
WITH b.id AS id, b.title AS title, count(*) AS citations, avg(c.importance) AS importance
WHERE citations >= $least
RETURN id, title, citations, importance
ORDER BY importance, id
LIMIT $limit
