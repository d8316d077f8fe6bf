// Lists papers, to cut the query that reads them into slices.
// returns: id; in the engine's own order, which its < and > follow
MATCH (paper:Paper)
RETURN paper.id AS id
ORDER BY id
