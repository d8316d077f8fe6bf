// Loaded papers by type, with their citations and the mean importance of these.
MATCH (p:Paper)
WHERE p.fulltext
OPTIONAL MATCH (p)-[c:CITES]->(:Paper)
RETURN coalesce(p.type, '') AS type, count(DISTINCT p.id) AS papers, count(c) AS citations,
       avg(c.importance) AS mean_importance,
       sum(CASE WHEN c.importance = 0 THEN 1 ELSE 0 END) AS without_importance
ORDER BY papers DESC, type
