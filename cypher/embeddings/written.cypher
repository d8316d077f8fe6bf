// Lists the papers whose vector of one run is in the graph.
// param run: id of the run
// returns: id
MATCH (paper:Paper)-[:HAS_EMBEDDING]->(e:Embedding)
WHERE e.run = $run
RETURN paper.id AS id
