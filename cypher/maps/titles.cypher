// Lists papers with what a map tells of them.
// returns: id, title, year; null where there is none
MATCH (paper:Paper)
RETURN paper.id AS id, paper.title AS title, paper.year AS year
