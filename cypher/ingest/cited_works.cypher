// Lists works known from reference lists only, with their properties.
MATCH (p:Paper)
WHERE NOT p.fulltext
RETURN p.id AS id, p.doi AS doi, p.pmid AS pmid, p.pmcid AS pmcid, p.openalex AS openalex,
       p.s2 AS s2, p.key AS key, p.title AS title,
       p.year AS year, p.venue AS venue, p.surnames AS surnames, p.givens AS givens,
       p.roles AS roles
