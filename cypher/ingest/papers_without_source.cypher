// Lists loaded papers of a store that was written before papers had sources.
MATCH (p:Paper)
WHERE p.fulltext AND p.sources IS NULL
RETURN p.id AS id, p.doi AS doi, p.pmid AS pmid, p.pmcid AS pmcid, p.openalex AS openalex, p.s2 AS s2,
       p.key AS key, p.path AS path, p.sha256 AS sha256, p.loader AS loader
