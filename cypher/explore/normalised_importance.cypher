// The references of a paper with importance that can be compared between papers, fields and years.
// share: importance divided by the sum over the references of the paper, so that they sum to one.
// percentile: percentage of the citations of the same year and field with a lower importance, plus
// half of those with the same. `platform importance normalise` computes both for all citations.
// param paper (paper): the citing paper
// param field = "": name of a community, such as "micro-1": citations by its papers are compared; all papers by default
// param limit = 20: maximum number of references
MATCH (:Paper {id: $paper})-[own:CITES]->(:Paper)
WITH sum(own.importance) AS total
MATCH (paper:Paper {id: $paper}), (peer:Paper)-[other:CITES]->(:Paper)
WHERE peer.year = paper.year AND other.importance IS NOT NULL AND ($field = '' OR EXISTS {
    MATCH (peer)-[:IN_COMMUNITY]->(c:Community), (m:Meta {id: 'cluster_run'})
    WHERE c.name = $field AND c.run = m.value
  })
WITH total, other.importance AS value, count(other) AS citations
MATCH (:Paper {id: $paper})-[c:CITES]->(b:Paper)
WHERE c.importance IS NOT NULL
WITH total, b.id AS id, b.title AS title, c.importance AS importance, sum(citations) AS compared,
     sum(CASE WHEN value < c.importance THEN 1.0 * citations
         WHEN value = c.importance THEN 0.5 * citations ELSE 0.0 END) AS lower
RETURN id, title, importance,
       CASE WHEN total > 0 THEN importance / total ELSE null END AS share,
       100.0 * lower / compared AS percentile, compared
ORDER BY importance DESC, id
LIMIT $limit
