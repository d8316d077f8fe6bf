// Writes metadata of the store.
// param rows: table with the columns id (name) and value
// writes: Meta
UNWIND $rows AS row
MERGE (m:Meta {id: row.id})
SET m.value = row.value
