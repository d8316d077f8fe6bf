// Lists the entries of reference lists that are matched to a work.
// param work (paper): the work
MATCH (r:Reference)-[m:MATCHES]->(w:Paper {id: $work})
MATCH (p:Paper)-[:HAS_REFERENCE]->(r)
RETURN r.id AS id, p.id AS citing, m.matched_by AS matched_by, r.doi AS doi, r.pmid AS pmid, r.pmcid AS pmcid,
       r.openalex AS openalex, r.s2 AS s2, r.key AS key, r.title AS title, r.year AS year, r.surnames AS surnames,
       r.source AS source, r.volume AS volume, r.page AS page, r.text AS text
ORDER BY id
