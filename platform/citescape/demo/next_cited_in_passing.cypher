// Often cited, seldom important: where a citation count says least.
MATCH (:Paper)-[c:CITES]->(b:Paper)
WITH b, count(c) AS citations, avg(c.importance) AS importance
WHERE citations >= 10
RETURN b.title, citations, importance
ORDER BY importance, b.title
LIMIT 10
