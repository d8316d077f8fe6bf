// Finds a paper by its id in the store or by any of its identifiers.
// param id: as given
// param doi: normalised, or an empty string
// param pmid: normalised, or an empty string
// param pmcid: normalised, or an empty string
// returns: id, title; several rows if the identifiers belong to several papers
MATCH (paper:Paper {id: $id})
RETURN paper.id AS id, paper.title AS title
UNION
MATCH (paper:Paper) WHERE paper.doi = $doi AND paper.doi <> ''
RETURN paper.id AS id, paper.title AS title
UNION
MATCH (paper:Paper) WHERE paper.pmid = $pmid AND paper.pmid <> ''
RETURN paper.id AS id, paper.title AS title
UNION
MATCH (paper:Paper) WHERE paper.pmcid = $pmcid AND paper.pmcid <> ''
RETURN paper.id AS id, paper.title AS title
