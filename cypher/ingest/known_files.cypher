// Lists the files of loaded papers, and the ids in them.
MATCH (p:Paper)
WHERE p.fulltext
RETURN p.id AS id, p.doi AS doi, p.pmid AS pmid, p.pmcid AS pmcid, p.openalex AS openalex,
       p.s2 AS s2, p.key AS key, p.path AS path,
       p.sha256 AS sha256, p.copy_paths AS copy_paths, p.copy_sha256 AS copy_sha256,
       p.loader AS loader
