// The communities in the graph, written by `platform cluster`, the largest first.
// param level = "": `macro`, `meso`, `micro`; empty for all levels
// param limit = 20: maximum number of communities
MATCH (c:Community), (m:Meta {id: 'cluster_run'})
WHERE c.run = m.value AND ($level = '' OR c.level = $level)
OPTIONAL MATCH (c)-[:PART_OF]->(above:Community)
RETURN c.level AS level, c.name AS name, c.label AS label, c.size AS papers,
       above.name AS part_of, c.field AS field, c.mean_year AS mean_year
ORDER BY papers DESC, level, name
LIMIT $limit
