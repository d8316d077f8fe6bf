// Lists the communities of other runs, or of other levels of a run.
// param run: id of the run that stays
// param levels: those of its levels that stay
// returns: id, of the Community
MATCH (c:Community)
WHERE c.run <> $run OR NOT c.level IN $levels
RETURN c.id AS id
