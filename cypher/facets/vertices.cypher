// The vertices of every facet subgraph: all papers, with or without edges of the facet.
// returns: id
MATCH (paper:Paper)
RETURN paper.id AS id
