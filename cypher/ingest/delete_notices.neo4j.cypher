// Sets aside the notices that papers state; `Neo4jStore.apply` deletes them at the end.
// param rows: table with the column id (papers)
// writes: Notice and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:STATES]->(n:Notice)
SET n:CitescapeDiscarded
REMOVE n:Notice
