// Reads the id of every paper.
// returns: id
MATCH (paper:Paper)
RETURN paper.id AS id
