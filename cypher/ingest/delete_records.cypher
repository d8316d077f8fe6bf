// Removes the records of papers that several sources have.
// param rows: table with the column id (papers)
// writes: Record and its relationships
UNWIND $rows AS row
MATCH (r:Record)-[:DESCRIBES]->(:Paper {id: row.id})
DETACH DELETE r
