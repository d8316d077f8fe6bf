// The references of a paper with importance that can be compared between papers, fields and years.
// share: importance divided by the sum over the references of the paper, so that they sum to one;
// null if the sum is 0. percentile: percentage of the citations of the same year and field with a
// lower importance, plus half of those with the same; null if year or field are unknown. The field
// is the community of the citing paper, if there are communities. `platform importance normalise`
// computes both for all citations.
// param paper (paper): the citing paper
// param level = "": level of the communities, such as "micro"; the coarsest by default
// param limit = 20: maximum number of references
MATCH (:Paper {id: $paper})-[own:CITES]->(:Paper)
WITH sum(own.importance) AS total
OPTIONAL MATCH (m:Meta {id: 'cluster_run'})
WITH total, coalesce(m.value, '') AS run
OPTIONAL MATCH (:Paper {id: $paper})-[:IN_COMMUNITY]->(c:Community)
WHERE c.run = run AND ($level = '' OR c.level = $level)
WITH total, run, coalesce(c.id, '') AS field, coalesce(c.size, 0) AS papers
ORDER BY papers DESC
LIMIT 1
OPTIONAL MATCH (paper:Paper {id: $paper}), (peer:Paper)-[other:CITES]->(:Paper)
WHERE peer.year = paper.year AND other.importance IS NOT NULL
  AND (run = '' OR EXISTS { MATCH (peer)-[:IN_COMMUNITY]->(d:Community) WHERE d.id = field })
WITH total, other.importance AS value, count(other) AS citations
MATCH (:Paper {id: $paper})-[c:CITES]->(b:Paper)
WHERE c.importance IS NOT NULL
WITH total, b.id AS id, b.title AS title, c.importance AS importance, sum(citations) AS compared,
     sum(CASE WHEN value < c.importance THEN 1.0 * citations
         WHEN value = c.importance THEN 0.5 * citations ELSE 0.0 END) AS lower
RETURN id, title, importance,
       CASE WHEN total > 0 THEN importance / total ELSE null END AS share,
       CASE WHEN compared > 0 THEN 100.0 * lower / compared ELSE null END AS percentile, compared
ORDER BY importance DESC, id
LIMIT $limit
