// What is loaded already: files by hash, and full texts by id.
MATCH (p:Paper)
WHERE p.fulltext
RETURN p.id AS id, p.doi AS doi, p.pmid AS pmid, p.pmcid AS pmcid, p.sha256 AS sha256,
       p.loader AS loader
