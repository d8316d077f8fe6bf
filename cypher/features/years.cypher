// Reads the year of every citing paper.
// returns: id, year (null if unknown)
MATCH (paper:Paper)
WHERE EXISTS { MATCH (paper)-[:CITES]->(:Paper) }
RETURN paper.id AS id, paper.year AS year
