// Lists papers with their titles and years for maps.
// returns: id, title, year; null if missing
MATCH (paper:Paper)
RETURN paper.id AS id, paper.title AS title, paper.year AS year
