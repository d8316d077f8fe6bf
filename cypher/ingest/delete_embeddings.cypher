// Removes the vectors of papers.
// param rows: a table with column id, the papers
// writes: Embedding and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_EMBEDDING]->(e:Embedding)
DETACH DELETE e
