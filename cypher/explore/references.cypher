// The references of a paper by importance, with self-citations marked.
// param paper (paper): the citing paper
// param limit = 20: maximum number of references; those without a score are last
MATCH (:Paper {id: $paper})-[c:CITES]->(b:Paper)
RETURN b.id AS id, b.title AS title, c.importance AS importance, c.mentions AS mentions,
       c.self AS self
ORDER BY coalesce(importance, -1.0) DESC, id
LIMIT $limit
