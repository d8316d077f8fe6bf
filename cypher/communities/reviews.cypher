// Lists papers of some kinds.
// param types: kinds of papers, such as review-article
// returns: id
MATCH (paper:Paper)
WHERE paper.type IN $types
RETURN paper.id AS id
