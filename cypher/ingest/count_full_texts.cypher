// Counts the papers that are loaded from their full text.
MATCH (p:Paper)
WHERE p.fulltext
RETURN count(*) AS n
