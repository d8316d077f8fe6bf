// Notes values about the store in the store.
// param rows: a table with columns id (the name) and value
// writes: Meta
UNWIND $rows AS row
MERGE (m:Meta {id: row.id})
SET m.value = row.value
