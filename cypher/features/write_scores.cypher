// Writes the importance of pairs, where it differs from that in the graph (CIA, Eq. 1).
//
// The sum is rounded once, so that it does not depend on the order of its terms: adding and
// subtracting 2^20 rounds a term to a multiple of 2^-32, and neither the sum of these nor that of
// the remainders needs rounding, for weights between 2^-30 and 2.
// param papers: ids of citing papers, each once
// param I: weight of f_I divided by scale, 0 if the score has no such component; in the same way M, R, D, other, S
// param M: weight
// param R: weight
// param D: weight
// param other: weight
// param S: weight
// param scale: power of two that the weights are divided by
// param run: id of the run
// writes: CITES.importance, CITES.run
// returns: written (number of pairs)
UNWIND $papers AS paper
MATCH (citing:Paper {id: paper})-[pair:CITES]->(:Paper)
WITH pair, $I * pair.f_I AS i, $M * pair.f_M AS m, $R * pair.f_R AS r, $D * pair.f_D AS d,
  $other * pair.f_other AS o, $S * pair.self AS s
WITH pair, i, m, r, d, o, s, 1048576.0 AS big
WITH pair, i, m, r, d, o, s, (i + big) - big AS i1, (m + big) - big AS m1, (r + big) - big AS r1,
  (d + big) - big AS d1, (o + big) - big AS o1, (s + big) - big AS s1
WITH pair, $scale * ((i1 + m1 + r1 + d1 + o1 + s1)
  + ((i - i1) + (m - m1) + (r - r1) + (d - d1) + (o - o1) + (s - s1))) AS importance
WHERE pair.importance IS NULL OR pair.importance <> importance
  OR pair.run IS NULL OR pair.run <> $run
SET pair.importance = importance, pair.run = $run
RETURN count(pair) AS written
