// Looks up whether the graph has any vector.
MATCH (e:Embedding)
RETURN e.id AS id
LIMIT 1
