// Reads the identifiers of every paper, by which lists name papers.
// returns: id, doi, pmid, pmcid; null if missing
MATCH (paper:Paper)
RETURN paper.id AS id, paper.doi AS doi, paper.pmid AS pmid, paper.pmcid AS pmcid
