// Removes the vectors of papers.
// param rows: table with the column id (papers)
// writes: Embedding and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_EMBEDDING]->(e:Embedding)
DETACH DELETE e
