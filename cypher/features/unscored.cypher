// Counts the pairs that a run has not scored.
// param run: id of the run
// returns: pairs
MATCH (:Paper)-[pair:CITES]->(:Paper)
WHERE pair.run IS NULL OR pair.run <> $run
RETURN count(pair) AS pairs
