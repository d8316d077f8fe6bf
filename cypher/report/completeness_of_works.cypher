// Counts the cited works that are not loaded, and those of them with each field, by the source whose
// reference lists name them. A work that the lists of several sources name counts in each.
// returns: source, papers, and the number of them with doi, identifier (DOI or another id), year,
// authors
MATCH (r:Reference)-[:MATCHES]->(w:Paper)
WHERE NOT w.fulltext
WITH DISTINCT r.data_source AS source, w
RETURN source, count(*) AS papers,
       sum(CASE WHEN w.doi IS NOT NULL THEN 1 ELSE 0 END) AS doi,
       sum(CASE WHEN coalesce(w.doi, w.pmid, w.pmcid, w.openalex, w.s2) IS NOT NULL THEN 1 ELSE 0 END) AS identifier,
       sum(CASE WHEN w.year IS NOT NULL THEN 1 ELSE 0 END) AS year,
       sum(CASE WHEN size(w.surnames) > 0 THEN 1 ELSE 0 END) AS authors
ORDER BY source
