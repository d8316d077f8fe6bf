// Lists the communities of one run that are in the graph.
// param run: id of the run
// returns: id (of the Community), level
MATCH (c:Community)
WHERE c.run = $run
RETURN c.id AS id, c.level AS level
