// The communities that a paper is in, the coarsest first, with what they are about.
// param paper (paper): the paper
MATCH (m:Meta {id: 'cluster_run'})
MATCH (:Paper {id: $paper})-[:IN_COMMUNITY]->(c:Community)
WHERE c.run = m.value
RETURN c.name AS name, c.level AS level, c.size AS papers, c.label AS label, c.field AS field
ORDER BY papers DESC, level
