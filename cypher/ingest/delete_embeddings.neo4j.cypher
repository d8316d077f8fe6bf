// Sets aside the vectors of papers; `Neo4jStore.apply` deletes them at the end.
// param rows: table with the column id (papers)
// writes: Embedding and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_EMBEDDING]->(e:Embedding)
SET e:CitescapeDiscarded
REMOVE e:Embedding
