// Reads the title of every paper that has one.
// returns: id, title
MATCH (paper:Paper)
WHERE paper.title IS NOT NULL
RETURN paper.id AS id, paper.title AS title
