// Lists which papers are in the communities of one run at one level, as far as the graph has it.
// param run: id of the run
// param level: the level
// returns: from, of the Paper; to, of the Community
MATCH (p:Paper)-[:IN_COMMUNITY]->(c:Community)
WHERE c.run = $run AND c.level = $level
RETURN p.id AS `from`, c.id AS `to`
