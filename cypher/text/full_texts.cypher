// Lists the papers that are loaded from their full text.
// returns: id
MATCH (paper:Paper)
WHERE paper.fulltext
RETURN paper.id AS id
