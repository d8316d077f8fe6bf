// Removes the sections of papers.
// param rows: table with the column id (papers)
// writes: Section and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_SECTION]->(s:Section)
DETACH DELETE s
