// Lists the parent of each community of one run, if it is in the graph.
// param run: id of the run
// returns: from (id of the Community), to (id of its parent)
MATCH (c:Community)-[:PART_OF]->(above:Community)
WHERE c.run = $run
RETURN c.id AS `from`, above.id AS `to`
