// Lists edges of all networks but one, in any order.
// param run: id of the run whose edges are kept; empty for none
// param limit: maximum number of edges
// returns: lower, higher, ids of the two papers
MATCH (one:Paper)-[edge:RELATED]->(other:Paper)
WHERE edge.run <> $run
RETURN one.id AS lower, other.id AS higher
LIMIT $limit
