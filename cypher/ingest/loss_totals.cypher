// Counts loaded papers by the counts of their citation pointers (JSON), and whether they have a text.
// returns: losses, with_text, papers
MATCH (p:Paper)
WHERE p.fulltext
RETURN p.losses AS losses, p.text_source IS NOT NULL AS with_text, count(*) AS papers
