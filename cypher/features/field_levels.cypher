// Lists the levels of the current clustering, the one with the fewest communities first.
// returns: level
MATCH (c:Community), (m:Meta {id: 'cluster_run'})
WHERE c.run = m.value
WITH c.level AS level, count(c) AS communities
RETURN level
ORDER BY communities, level
