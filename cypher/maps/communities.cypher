// Lists the communities of one level and where they lie on the map of topics.
// param run: id of the clustering
// param level: name of the level
// returns: id, name, x, y; null where there is no map
MATCH (community:Community)
WHERE community.run = $run AND community.level = $level
RETURN community.id AS id, community.name AS name, community.x AS x, community.y AS y
