// Sets aside the reference lists of papers; `Neo4jStore.apply` deletes what is set aside last.
// param rows: a table with column id, the papers
// writes: Reference and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_REFERENCE]->(r:Reference)
SET r:CitescapeDiscarded
REMOVE r:Reference
