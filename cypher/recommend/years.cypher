// Lists the publication dates of papers with full text.
// returns: date, year; null or empty if missing
MATCH (paper:Paper)
WHERE paper.fulltext
RETURN paper.date AS date, paper.year AS year
