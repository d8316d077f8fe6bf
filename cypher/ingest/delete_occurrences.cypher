// Removes the in-text citations of papers.
// param rows: a table with column id, the papers
// writes: Occurrence and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence)
DETACH DELETE o
