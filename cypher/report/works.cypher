// The works with the largest sum of importance, and their mentions by type of section.
// param limit = 15: maximum number of works
MATCH (:Paper)-[c:CITES]->(p:Paper)
WHERE c.importance IS NOT NULL
WITH p.id AS id, p.title AS title, p.year AS year, count(*) AS cited_by,
     sum(c.importance) AS importance, sum(c.f_I) AS introduction, sum(c.f_M) AS methods,
     sum(c.f_R) AS results, sum(c.f_D) AS discussion, sum(c.self) AS self_citations
RETURN id, title, year, cited_by, importance, introduction, methods, results, discussion,
       self_citations
ORDER BY importance DESC, id
LIMIT $limit
