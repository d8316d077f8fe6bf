// Lists the communities of papers at all levels, with the coordinates of papers on the map.
// param run: id of the clustering
// returns: from (id of the Paper), to (id of the Community), x, y (null without a map)
MATCH (paper:Paper)-[member:IN_COMMUNITY]->(community:Community)
WHERE community.run = $run
RETURN paper.id AS `from`, community.id AS `to`, member.x AS x, member.y AS y
