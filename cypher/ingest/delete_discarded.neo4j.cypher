// Deletes what `ingest/delete_sections` and its kin set aside, at the end of their transaction.
// param rows: a table with column id and one row, whatever it is
// writes: nodes labelled CitescapeDiscarded, with their relationships
UNWIND $rows AS row
MATCH (x:CitescapeDiscarded)
DETACH DELETE x
