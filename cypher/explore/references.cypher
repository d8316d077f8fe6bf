// What a paper really builds on: its references by importance, its own authors' works marked.
// param paper (paper): the citing paper
// param limit = 20: how many references, those without a score last
MATCH (:Paper {id: $paper})-[c:CITES]->(b:Paper)
RETURN b.id AS id, b.title AS title, c.importance AS importance, c.mentions AS mentions,
       c.self AS self
ORDER BY coalesce(importance, -1.0) DESC, id
LIMIT $limit
