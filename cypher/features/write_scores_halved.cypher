// Writes the importance of pairs, where it differs from that in the graph, R and D in halves.
//
// As features/write_scores, but a mention in a section that combines results and discussion counts
// half in R and half in D.
// continues features/location
// param papers: ids of citing papers, each once
// param rules: count sections that a model typed as other
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
WITH pair, $I * f_I AS i, $M * f_M AS m, $R * (f_R - 0.5 * f_combined) AS r,
  $D * (f_D + 0.5 * f_combined) AS d, $other * f_other AS o, $S * pair.self AS s
WITH pair, i, m, r, d, o, s, 1048576.0 AS big
WITH pair, i, m, r, d, o, s, (i + big) - big AS i1, (m + big) - big AS m1, (r + big) - big AS r1,
  (d + big) - big AS d1, (o + big) - big AS o1, (s + big) - big AS s1
WITH pair, $scale * ((i1 + m1 + r1 + d1 + o1 + s1)
  + ((i - i1) + (m - m1) + (r - r1) + (d - d1) + (o - o1) + (s - s1))) AS importance
WHERE pair.importance IS NULL OR pair.importance <> importance
  OR pair.run IS NULL OR pair.run <> $run
SET pair.importance = importance, pair.run = $run
RETURN count(pair) AS written
