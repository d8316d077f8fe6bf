// Lists the community of each paper at one level of the current clustering.
// param level: name of the level
// returns: id, field (name of the community)
MATCH (m:Meta {id: 'cluster_run'})
MATCH (paper:Paper)-[:IN_COMMUNITY]->(c:Community)
WHERE c.run = m.value AND c.level = $level
RETURN paper.id AS id, c.name AS field
