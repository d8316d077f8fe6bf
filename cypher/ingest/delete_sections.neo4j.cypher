// Sets aside the sections of papers; `Neo4jStore.apply` deletes them at the end.
// param rows: table with the column id (papers)
// writes: Section and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_SECTION]->(s:Section)
SET s:CitescapeDiscarded
REMOVE s:Section
