// Lists the papers that several sources have, with the values that the graph uses.
// returns: id, sources, doi, pmid, title, year, type, language, surnames
MATCH (p:Paper)
WHERE p.fulltext AND size(p.sources) > 1
RETURN p.id AS id, p.sources AS sources, p.doi AS doi, p.pmid AS pmid, p.title AS title,
       p.year AS year, p.type AS type, p.language AS language, p.surnames AS surnames
ORDER BY id
