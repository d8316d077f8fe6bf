// Lists the papers whose abstract may be split: full texts, and others with an abstract.
// returns: id
MATCH (paper:Paper)
WHERE paper.fulltext OR paper.abstract <> ''
RETURN paper.id AS id
