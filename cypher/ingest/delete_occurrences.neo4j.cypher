// Sets aside the in-text citations of papers; `Neo4jStore.apply` deletes what is set aside last.
//
// Deleted at once they would slow every later look-up of the same transaction: Neo4j goes through
// all that is deleted so far, some 0.2 ms for each of 1,000 nodes.
// param rows: a table with column id, the papers
// writes: Occurrence and its relationships
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence)
SET o:CitescapeDiscarded
REMOVE o:Occurrence
