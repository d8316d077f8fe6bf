// Works discussed side by side: cited by the same papers, each time in results or discussion.
MATCH (x:Paper)<-[c:CITES]-(a:Paper)-[d:CITES]->(y:Paper)
WHERE x.id < y.id AND c.f_R + c.f_D > 0 AND d.f_R + d.f_D > 0
RETURN x.title, y.title, count(a) AS papers
ORDER BY papers DESC, x.title, y.title
LIMIT 10
