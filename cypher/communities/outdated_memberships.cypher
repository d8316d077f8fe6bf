// Lists which papers are in communities of other runs, or of other levels of a run.
// param run: id of the run that stays
// param levels: those of its levels that stay
// returns: from, of the Paper; to, of the Community
MATCH (p:Paper)-[:IN_COMMUNITY]->(c:Community)
WHERE c.run <> $run OR NOT c.level IN $levels
RETURN p.id AS `from`, c.id AS `to`
