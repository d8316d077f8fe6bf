// Lists the papers of the communities of one run at one level, if they are in the graph.
// param run: id of the run
// param level: name of the level
// returns: from (id of the Paper), to (id of the Community)
MATCH (p:Paper)-[:IN_COMMUNITY]->(c:Community)
WHERE c.run = $run AND c.level = $level
RETURN p.id AS `from`, c.id AS `to`
