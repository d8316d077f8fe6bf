// Removes the in-text citations of papers.
// param rows: table with the column id (papers)
// writes: Occurrence and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence)
DETACH DELETE o
