// Lists edges of all networks but one, in no order.
// param run: id of the run whose edges stay; empty for none
// param limit: how many edges
// returns: lower, higher, ids of the two papers
MATCH (one:Paper)-[edge:RELATED]->(other:Paper)
WHERE edge.run <> $run
RETURN one.id AS lower, other.id AS higher
LIMIT $limit
