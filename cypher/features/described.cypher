// Reads title, abstract and year of every paper.
// returns: id, title, abstract, year
MATCH (paper:Paper)
RETURN paper.id AS id, paper.title AS title, paper.abstract AS abstract, paper.year AS year
