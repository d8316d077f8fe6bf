// Lists all works with their identifiers and dates.
// returns: id, doi, pmid, pmcid, date, year
MATCH (p:Paper)
RETURN p.id AS id, p.doi AS doi, p.pmid AS pmid, p.pmcid AS pmcid, p.date AS date, p.year AS year
