// Writes the counts of contexts by intent, where they differ from those in the graph.
// continues features/intents
// param papers: ids of citing papers, each once
// writes: CITES.n_background, CITES.n_method, CITES.n_result
// returns: written (number of pairs)
WITH pair, n_background, n_method, n_result
WHERE coalesce(pair.n_background, -1) <> coalesce(n_background, -1)
  OR coalesce(pair.n_method, -1) <> coalesce(n_method, -1)
  OR coalesce(pair.n_result, -1) <> coalesce(n_result, -1)
SET pair.n_background = n_background, pair.n_method = n_method, pair.n_result = n_result
RETURN count(pair) AS written
