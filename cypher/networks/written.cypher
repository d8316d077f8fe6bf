// Lists edges of one network that are in the graph.
// param run: id of the run
// param first: id from which their lower ends are listed
// param last: id up to which they are
// returns: lower, higher, ids of the two papers
MATCH (one:Paper)-[edge:RELATED]->(other:Paper)
WHERE edge.run = $run AND one.id >= $first AND one.id <= $last
RETURN one.id AS lower, other.id AS higher
