// Works that others discuss, not only mention: cited in results or discussion.
MATCH (:Paper)-[c:CITES]->(b:Paper)
WHERE c.f_R + c.f_D > 0
RETURN b.title, b.year, count(*) AS papers, sum(c.f_R + c.f_D) AS mentions
ORDER BY papers DESC, b.title
LIMIT 10
