// Writes the counts of mentions, where they differ from those in the graph.
// continues features/location
// param papers: ids of citing papers, each once
// param rules: count sections that a model typed as other
// writes: CITES.mentions, CITES.f_I, CITES.f_M, CITES.f_R, CITES.f_D, CITES.f_other
// returns: written (number of pairs)
WITH pair, mentions, f_I, f_M, f_R, f_D, f_other
WHERE coalesce(pair.mentions, -1) <> mentions OR coalesce(pair.f_I, -1) <> f_I
  OR coalesce(pair.f_M, -1) <> f_M OR coalesce(pair.f_R, -1) <> f_R
  OR coalesce(pair.f_D, -1) <> f_D OR coalesce(pair.f_other, -1) <> f_other
SET pair.mentions = mentions, pair.f_I = f_I, pair.f_M = f_M, pair.f_R = f_R, pair.f_D = f_D,
  pair.f_other = f_other
RETURN count(pair) AS written
