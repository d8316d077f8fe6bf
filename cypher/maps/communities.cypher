// Lists the communities of all levels and where they lie on the map of topics.
// param run: id of the clustering
// returns: id, level, name, x, y; null where there is no map, or it is of another level
MATCH (community:Community)
WHERE community.run = $run
RETURN community.id AS id, community.level AS level, community.name AS name, community.x AS x,
  community.y AS y
