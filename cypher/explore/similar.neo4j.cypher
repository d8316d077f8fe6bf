// The papers nearest to one by the cosine of their vectors, as `platform embed` wrote them.
// All vectors are compared. Vectors of titles alone are less reliable: see `text`. For queries of
// the vector index, which differ between releases, see docs/guides/neo4j.md.
//
// Neo4j's similarity is (1 + cosine) / 2.
// param paper (paper): the paper
// param limit = 20: maximum number of papers
MATCH (:Paper {id: $paper})-[:HAS_EMBEDDING]->(own:Embedding), (m:Meta {id: 'embedding_run'})
WHERE own.run = m.value
MATCH (other:Paper)-[:HAS_EMBEDDING]->(e:Embedding)
WHERE e.run = own.run AND other.id <> $paper
WITH other.id AS id, other.title AS title, other.year AS year, e.text AS text,
     2.0 * vector.similarity.cosine(own.vector, e.vector) - 1.0 AS similarity
RETURN id, title, year, similarity, text
ORDER BY similarity DESC, id
LIMIT $limit
