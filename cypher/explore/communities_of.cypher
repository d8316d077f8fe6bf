// The communities of a paper, the coarsest level first, with their labels and fields.
// param paper (paper): the paper
MATCH (m:Meta {id: 'cluster_run'})
MATCH (:Paper {id: $paper})-[:IN_COMMUNITY]->(c:Community)
WHERE c.run = m.value
RETURN c.name AS name, c.level AS level, c.size AS papers, c.label AS label, c.field AS field
ORDER BY papers DESC, level
