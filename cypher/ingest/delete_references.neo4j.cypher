// Sets aside the reference lists of papers; `Neo4jStore.apply` deletes them at the end.
// param rows: table with the column id (papers)
// writes: Reference and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_REFERENCE]->(r:Reference)
SET r:CitescapeDiscarded
REMOVE r:Reference
