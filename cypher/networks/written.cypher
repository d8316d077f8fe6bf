// Lists edges of one network that are in the graph.
// param run: id of the run
// param first: first id of the lower ends
// param last: last id of the lower ends
// returns: lower, higher, ids of the two papers
MATCH (one:Paper)-[edge:RELATED]->(other:Paper)
WHERE edge.run = $run AND one.id >= $first AND one.id <= $last
RETURN one.id AS lower, other.id AS higher
