// Lists papers with the properties for benchmarks.
// returns: id, title, abstract, year, venue, type; null or empty if missing
MATCH (paper:Paper)
RETURN paper.id AS id, paper.title AS title, paper.abstract AS abstract, paper.year AS year,
  paper.venue AS venue, paper.type AS type
