// Every run that wrote to the graph, the latest first.
MATCH (r:Run)
RETURN r.id AS id, r.command AS command, r.started AS started, r.seconds AS seconds
ORDER BY started DESC, id
