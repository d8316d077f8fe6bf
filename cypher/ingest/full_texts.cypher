// Lists papers with full text, with all their ids.
MATCH (p:Paper)
WHERE p.fulltext
RETURN p.id AS id, p.doi AS doi, p.pmid AS pmid, p.pmcid AS pmcid, p.openalex AS openalex,
       p.s2 AS s2, p.key AS key
