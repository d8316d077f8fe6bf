// Lists the communities of one level that the graph holds.
// param run: id of the clustering
// param level: name of the level
// returns: id, name
MATCH (community:Community)
WHERE community.run = $run AND community.level = $level
RETURN community.id AS id, community.name AS name
