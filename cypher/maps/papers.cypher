// Lists which papers are in which communities, at all levels, and where they lie on the map.
// param run: id of the clustering
// returns: from, of the Paper; to, of the Community; x, y, null where there is no map
MATCH (paper:Paper)-[member:IN_COMMUNITY]->(community:Community)
WHERE community.run = $run
RETURN paper.id AS `from`, community.id AS `to`, member.x AS x, member.y AS y
