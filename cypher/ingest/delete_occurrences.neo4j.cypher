// Sets aside the in-text citations of papers; `Neo4jStore.apply` deletes them at the end.
//
// If they were deleted at once, every later look-up of the same transaction would be slower: Neo4j
// scans the deleted nodes, some 0.2 ms per 1,000 nodes.
// param rows: table with the column id (papers)
// writes: Occurrence and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence)
SET o:CitescapeDiscarded
REMOVE o:Occurrence
