// Names papers that were found.
// param papers: ids
// returns: id, title, year; no row for those that are not in the graph
UNWIND $papers AS wanted
MATCH (paper:Paper {id: wanted})
RETURN paper.id AS id, paper.title AS title, paper.year AS year
