// Sets aside the sections of papers; `Neo4jStore.apply` deletes what is set aside last.
// param rows: a table with column id, the papers
// writes: Section and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_SECTION]->(s:Section)
SET s:CitescapeDiscarded
REMOVE s:Section
