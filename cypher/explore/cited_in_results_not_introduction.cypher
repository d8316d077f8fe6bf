// Works used in results or discussion that no introduction names: evidence rather than background.
// Needs scores (`platform score`), which count mentions by section: others are left out.
// param least = 3: minimum number of mentions in results and discussion, over all citing papers
// param limit = 20: maximum number of works
MATCH (:Paper)-[c:CITES]->(p:Paper)
WHERE c.f_I IS NOT NULL
WITH p.id AS id, p.title AS title, p.year AS year, count(*) AS cited_by,
     sum(c.f_I) AS in_introduction, sum(c.f_R) AS in_results, sum(c.f_D) AS in_discussion
WHERE in_introduction = 0 AND in_results + in_discussion >= $least
RETURN id, title, year, cited_by, in_results, in_discussion
ORDER BY in_results + in_discussion DESC, id
LIMIT $limit
