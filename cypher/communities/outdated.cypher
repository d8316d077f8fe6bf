// Lists the communities of other runs, or of other levels of a run.
// param run: id of the run to keep
// param levels: levels of this run to keep
// returns: id (of the Community)
MATCH (c:Community)
WHERE c.run <> $run OR NOT c.level IN $levels
RETURN c.id AS id
