// Reads the type of every loaded paper.
// returns: id, type (null if unknown)
MATCH (paper:Paper)
WHERE paper.fulltext
RETURN paper.id AS id, paper.type AS type
