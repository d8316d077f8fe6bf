// Sets aside the records of papers that several sources have; `Neo4jStore.apply` deletes them at
// the end.
// param rows: table with the column id (papers)
// writes: Record and its relationships
UNWIND $rows AS row
MATCH (r:Record)-[:DESCRIBES]->(:Paper {id: row.id})
SET r:CitescapeDiscarded
REMOVE r:Record
