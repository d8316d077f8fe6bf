// Reads citations with their weights: importance, and contexts by intent.
// param first: id of the first citing paper
// param last: id of the last citing paper
// returns: citing, cited, importance, n_background, n_method, n_result; null if missing
MATCH (citing:Paper)-[pair:CITES]->(cited:Paper)
WHERE citing.id >= $first AND citing.id <= $last
RETURN citing.id AS citing, cited.id AS cited, pair.importance AS importance,
  pair.n_background AS n_background, pair.n_method AS n_method, pair.n_result AS n_result
