// Sets aside the vectors of papers; `Neo4jStore.apply` deletes what is set aside last.
// param rows: a table with column id, the papers
// writes: Embedding and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_EMBEDDING]->(e:Embedding)
SET e:CitescapeDiscarded
REMOVE e:Embedding
