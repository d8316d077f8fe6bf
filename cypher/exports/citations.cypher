// Reads citations with their counts and importance.
// param first: id of the first citing paper
// param last: id of the last citing paper
// returns: citing, cited, mentions, importance, background, method, result (contexts by intent);
//   null if missing
MATCH (citing:Paper)-[pair:CITES]->(cited:Paper)
WHERE citing.id >= $first AND citing.id <= $last
RETURN citing.id AS citing, cited.id AS cited, pair.mentions AS mentions,
  pair.importance AS importance, pair.n_background AS background, pair.n_method AS method,
  pair.n_result AS result
