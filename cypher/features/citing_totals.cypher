// Sums the values of the pairs of each citing paper.
// returns: id, pairs, mentions, I, M, R, D, other, S
MATCH (citing:Paper)-[pair:CITES]->(:Paper)
RETURN citing.id AS id, count(pair) AS pairs, coalesce(sum(pair.mentions), 0) AS mentions,
  coalesce(sum(pair.f_I), 0) AS I, coalesce(sum(pair.f_M), 0) AS M,
  coalesce(sum(pair.f_R), 0) AS R, coalesce(sum(pair.f_D), 0) AS D,
  coalesce(sum(pair.f_other), 0) AS other, coalesce(sum(pair.self), 0) AS S
