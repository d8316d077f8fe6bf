// Reads the vectors of one run.
// param run: id of the run
// returns: id (of the paper), text, vector
MATCH (paper:Paper)-[:HAS_EMBEDDING]->(e:Embedding)
WHERE e.run = $run
RETURN paper.id AS id, e.text AS text, e.vector AS vector
