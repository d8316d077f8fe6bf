// Counts the loaded papers, and the cited works that are not loaded, with each field.
// returns: loaded (true or false), papers, and the number of them with doi, identifier (DOI or
// another id), title, abstract, year, type, authors
MATCH (p:Paper)
RETURN p.fulltext AS loaded, count(*) AS papers,
       sum(CASE WHEN p.doi IS NOT NULL THEN 1 ELSE 0 END) AS doi,
       sum(CASE WHEN coalesce(p.doi, p.pmid, p.pmcid, p.openalex, p.s2) IS NOT NULL THEN 1 ELSE 0 END) AS identifier,
       sum(CASE WHEN coalesce(p.title, '') <> '' THEN 1 ELSE 0 END) AS title,
       sum(CASE WHEN coalesce(p.abstract, '') <> '' THEN 1 ELSE 0 END) AS abstract,
       sum(CASE WHEN p.year IS NOT NULL THEN 1 ELSE 0 END) AS year,
       sum(CASE WHEN coalesce(p.type, '') <> '' THEN 1 ELSE 0 END) AS type,
       sum(CASE WHEN size(p.surnames) > 0 THEN 1 ELSE 0 END) AS authors
ORDER BY loaded
