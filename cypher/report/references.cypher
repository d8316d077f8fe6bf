// Counts the entries of reference lists by source and by the work that they name.
// returns: source, matched_by (what joined the entry to its work), loaded (whether the work is a
// loaded paper), identified (whether the work has a DOI or another id), entries
MATCH (r:Reference)-[m:MATCHES]->(w:Paper)
RETURN r.data_source AS source, m.matched_by AS matched_by, w.fulltext AS loaded,
       coalesce(w.doi, w.pmid, w.pmcid, w.openalex, w.s2) IS NOT NULL AS identified, count(*) AS entries
ORDER BY source, matched_by, loaded, identified
