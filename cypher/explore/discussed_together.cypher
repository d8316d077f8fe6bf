// Works discussed side by side: cited by the same papers, each time in results or discussion.
// param limit = 20: maximum number of pairs of works
MATCH (x:Paper)<-[c:CITES]-(a:Paper)-[d:CITES]->(y:Paper)
WHERE x.id < y.id AND c.f_R + c.f_D > 0 AND d.f_R + d.f_D > 0
RETURN x.id AS one, y.id AS other, x.title AS title, y.title AS other_title, count(*) AS papers
ORDER BY papers DESC, one, other
LIMIT $limit
