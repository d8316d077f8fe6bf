// Counts loaded papers by type.
// returns: type (empty if unknown), papers
MATCH (paper:Paper)
WHERE paper.fulltext
RETURN coalesce(paper.type, '') AS type, count(*) AS papers
ORDER BY papers DESC, type
