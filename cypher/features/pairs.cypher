// Reads citing and cited paper of every pair: the rows of the bulk kernel.
// param first: id of the first citing paper
// param last: id of the last citing paper
// returns: citing, cited
MATCH (citing:Paper)-[:CITES]->(cited:Paper)
WHERE citing.id >= $first AND citing.id <= $last
RETURN citing.id AS citing, cited.id AS cited
