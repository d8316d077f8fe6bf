// Lists papers of some types.
// param types: types of papers, such as review-article
// returns: id
MATCH (paper:Paper)
WHERE paper.type IN $types
RETURN paper.id AS id
