// The papers of one community, by the importance that they receive.
// Importance received is summed over the citations of a paper that are scored, 0 without any.
// param name such as "micro-1": name of the community, from `explore/communities`
// param limit = 20: maximum number of papers
MATCH (c:Community {name: $name}), (m:Meta {id: 'cluster_run'})
WHERE c.run = m.value
MATCH (p:Paper)-[:IN_COMMUNITY]->(c)
OPTIONAL MATCH (:Paper)-[x:CITES]->(p)
RETURN p.id AS id, p.title AS title, p.year AS year, count(x) AS cited_by,
       coalesce(sum(x.importance), 0.0) AS importance
ORDER BY importance DESC, cited_by DESC, id
LIMIT $limit
