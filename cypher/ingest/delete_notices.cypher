// Removes the notices that papers state.
// param rows: table with the column id (papers)
// writes: Notice and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:STATES]->(n:Notice)
DETACH DELETE n
