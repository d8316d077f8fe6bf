// Lists papers with the properties for recommendations, and the files they were loaded from.
// param first: id of the first paper
// param last: id of the last paper
// returns: id, title, abstract, date, year, sha256 (of the file), loader; null or empty if
//   missing
MATCH (paper:Paper)
WHERE paper.id >= $first AND paper.id <= $last
RETURN paper.id AS id, paper.title AS title, paper.abstract AS abstract, paper.date AS date,
  paper.year AS year, paper.sha256 AS sha256, paper.loader AS loader
