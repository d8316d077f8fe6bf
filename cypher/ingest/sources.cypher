// Counts the loaded papers of each source.
// returns: source, papers, with_text (papers whose text is of the source)
MATCH (p:Paper)
WHERE p.fulltext
UNWIND p.sources AS source
RETURN source, count(*) AS papers,
       sum(CASE WHEN p.text_source = source THEN 1 ELSE 0 END) AS with_text
ORDER BY source
