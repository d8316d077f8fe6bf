// The vertices of every facet subgraph: all papers, whether or not an edge of the facet meets them.
// returns: id
MATCH (paper:Paper)
RETURN paper.id AS id
