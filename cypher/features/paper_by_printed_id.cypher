// Finds the works of entries of reference lists that print an id: a second or misprinted one.
// param doi: normalised, or an empty string
// param pmid: normalised, or an empty string
// param pmcid: normalised, or an empty string
// returns: id, title; several rows if the entries have several works
MATCH (r:Reference)-[:MATCHES]->(paper:Paper)
WHERE (r.doi = $doi AND r.doi <> '') OR (r.pmid = $pmid AND r.pmid <> '')
   OR (r.pmcid = $pmcid AND r.pmcid <> '')
RETURN DISTINCT paper.id AS id, paper.title AS title
ORDER BY id
