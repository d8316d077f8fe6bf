// Reads the corpus ids of papers in Semantic Scholar.
// returns: id, s2; no row for papers without one
MATCH (paper:Paper)
WHERE paper.s2 IS NOT NULL
RETURN paper.id AS id, paper.s2 AS s2
