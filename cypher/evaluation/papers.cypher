// Lists papers with what a benchmark is made of.
// returns: id, title, abstract, year, venue; null or empty where there is none
MATCH (paper:Paper)
RETURN paper.id AS id, paper.title AS title, paper.abstract AS abstract, paper.year AS year,
  paper.venue AS venue
