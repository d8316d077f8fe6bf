// Sums the values of the pairs of each citing paper.
// returns: id, pairs, mentions, I, M, R, D, other, S
MATCH (citing:Paper)-[pair:CITES]->(:Paper)
RETURN citing.id AS id, count(pair) AS pairs, sum(pair.mentions) AS mentions, sum(pair.f_I) AS I,
  sum(pair.f_M) AS M, sum(pair.f_R) AS R, sum(pair.f_D) AS D, sum(pair.f_other) AS other,
  sum(pair.self) AS S
