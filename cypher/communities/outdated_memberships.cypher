// Lists the papers of communities of other runs, or of other levels of a run.
// param run: id of the run to keep
// param levels: levels of this run to keep
// returns: from (id of the Paper), to (id of the Community)
MATCH (p:Paper)-[:IN_COMMUNITY]->(c:Community)
WHERE c.run <> $run OR NOT c.level IN $levels
RETURN p.id AS `from`, c.id AS `to`
