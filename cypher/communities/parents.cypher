// Lists which communities of one run are parts of which, as far as the graph has it.
// param run: id of the run
// returns: from, to, of the Community and of the one that holds it
MATCH (c:Community)-[:PART_OF]->(above:Community)
WHERE c.run = $run
RETURN c.id AS `from`, above.id AS `to`
