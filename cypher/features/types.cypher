// Reads the type of every paper.
// returns: id, type (null if unknown)
MATCH (paper:Paper)
RETURN paper.id AS id, paper.type AS type
