// Counts pairs by their values and the type of the citing paper, R and D in halves.
//
// As features/values, but a mention in a section that combines results and discussion counts half in
// R and half in D.
// continues features/location
// param papers: ids of citing papers, each once
// param rules: count sections that a model typed as other
// returns: type (null if unknown), I, M, R, D, other, S, pairs; R and D are twice the value
RETURN citing.type AS type, f_I AS I, f_M AS M, 2 * f_R - f_combined AS R,
  2 * f_D + f_combined AS D, f_other AS other, pair.self AS S, count(pair) AS pairs
