// Lists all works with their identifiers, dates and types.
// returns: id, doi, pmid, pmcid, openalex, s2, date, year, type
MATCH (p:Paper)
RETURN p.id AS id, p.doi AS doi, p.pmid AS pmid, p.pmcid AS pmcid, p.openalex AS openalex,
       p.s2 AS s2, p.date AS date, p.year AS year, p.type AS type
