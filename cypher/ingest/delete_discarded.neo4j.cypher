// Deletes the nodes that `ingest/delete_sections` and similar queries set aside, at the end of
// their transaction.
// param rows: table with the column id and one row of any value
// writes: nodes labelled CitescapeDiscarded, with their relationships
UNWIND $rows AS row
MATCH (x:CitescapeDiscarded)
DETACH DELETE x
