// Lists papers, to split the query that reads them into slices.
// returns: id; in the order of ids that < and > of the engine use
MATCH (paper:Paper)
RETURN paper.id AS id
ORDER BY id
