// Counts pairs by their values and the type of the citing paper.
//
// The joint histogram that weights are computed from: some hundred rows for each million pairs.
// returns: type (null if unknown), I, M, R, D, other, S, pairs
MATCH (citing:Paper)-[pair:CITES]->(:Paper)
RETURN citing.type AS type, pair.f_I AS I, pair.f_M AS M, pair.f_R AS R, pair.f_D AS D,
  pair.f_other AS other, pair.self AS S, count(pair) AS pairs
