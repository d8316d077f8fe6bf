// Lists the vectors of all runs but one.
// param run: id of the run to keep
// returns: id (of the Embedding)
MATCH (e:Embedding)
WHERE e.run <> $run
RETURN e.id AS id
