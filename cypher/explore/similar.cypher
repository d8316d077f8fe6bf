// The papers nearest to one by the cosine of their vectors, as `platform embed` wrote them.
// All vectors are compared. Vectors of titles alone are less reliable: see `text`.
// param paper (paper): the paper
// param limit = 20: maximum number of papers
MATCH (:Paper {id: $paper})-[:HAS_EMBEDDING]->(own:Embedding), (m:Meta {id: 'embedding_run'})
WHERE own.run = m.value
MATCH (other:Paper)-[:HAS_EMBEDDING]->(e:Embedding)
WHERE e.run = own.run AND other.id <> $paper
UNWIND range(1, size(e.vector)) AS i
WITH other.id AS id, other.title AS title, other.year AS year, e.text AS text,
     sum(own.vector[i] * e.vector[i]) AS product, sum(e.vector[i] * e.vector[i]) AS square,
     sum(own.vector[i] * own.vector[i]) AS own_square
RETURN id, title, year, product / sqrt(square * own_square) AS similarity, text
ORDER BY similarity DESC, id
LIMIT $limit
