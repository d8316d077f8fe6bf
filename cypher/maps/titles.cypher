// Lists papers with their titles, years and journals for maps.
// returns: id, title, year, venue; null if missing
MATCH (paper:Paper)
RETURN paper.id AS id, paper.title AS title, paper.year AS year, paper.venue AS venue
