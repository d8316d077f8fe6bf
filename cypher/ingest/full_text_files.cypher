// Lists loaded papers with their ids, their file, and their sources.
MATCH (p:Paper)
WHERE p.fulltext
RETURN p.id AS id, p.doi AS doi, p.pmid AS pmid, p.pmcid AS pmcid, p.openalex AS openalex, p.s2 AS s2,
       p.key AS key, p.path AS path, p.sha256 AS sha256, p.loader AS loader, p.sources AS sources
