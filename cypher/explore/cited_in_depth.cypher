// Works that others discuss, not only mention: cited in results or discussion.
// param limit = 20: maximum number of works
MATCH (:Paper)-[c:CITES]->(b:Paper)
WHERE c.f_R + c.f_D > 0
RETURN b.id AS id, b.title AS title, b.year AS year, count(*) AS papers,
       sum(c.f_R + c.f_D) AS mentions
ORDER BY papers DESC, id
LIMIT $limit
