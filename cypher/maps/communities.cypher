// Lists the communities of all levels with their coordinates on the map of topics.
// param run: id of the clustering
// returns: id, level, name, x, y; null without a map of this level
MATCH (community:Community)
WHERE community.run = $run
RETURN community.id AS id, community.level AS level, community.name AS name, community.x AS x,
  community.y AS y
