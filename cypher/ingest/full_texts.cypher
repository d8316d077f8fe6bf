// Lists loaded papers with all their ids, and those in each source.
MATCH (p:Paper)
WHERE p.fulltext
RETURN p.id AS id, p.doi AS doi, p.pmid AS pmid, p.pmcid AS pmcid, p.openalex AS openalex,
       p.s2 AS s2, p.key AS key, p.sources AS sources, p.source_ids AS source_ids
