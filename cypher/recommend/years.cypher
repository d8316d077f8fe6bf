// Lists when papers appeared that are loaded from their full text.
// returns: date, year; null or empty where there is none
MATCH (paper:Paper)
WHERE paper.fulltext
RETURN paper.date AS date, paper.year AS year
