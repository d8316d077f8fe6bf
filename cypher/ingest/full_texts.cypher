// Lists loaded papers with what identifies them, and their ids in each source.
MATCH (p:Paper)
WHERE p.fulltext
RETURN p.id AS id, p.doi AS doi, p.pmid AS pmid, p.pmcid AS pmcid, p.openalex AS openalex,
       p.s2 AS s2, p.key AS key, p.sources AS sources, p.source_ids AS source_ids,
       p.title AS title, p.surnames AS surnames, p.year AS year, p.venue AS venue
