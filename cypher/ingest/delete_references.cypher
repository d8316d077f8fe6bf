// Removes the reference lists of papers.
// param rows: a table with column id, the papers
// writes: Reference and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_REFERENCE]->(r:Reference)
DETACH DELETE r
