// Writes S = 1 to the self-citations that have another value in the graph.
// continues features/self_citation
// param papers: ids of citing papers, each once
// writes: CITES.self
// returns: written (number of pairs)
WITH pair
WHERE coalesce(pair.self, 0) <> 1
SET pair.self = 1
RETURN count(pair) AS written
