// Removes the reference lists of papers.
// param rows: table with the column id (papers)
// writes: Reference and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_REFERENCE]->(r:Reference)
DETACH DELETE r
