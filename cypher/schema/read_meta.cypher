// Reads one entry of the metadata of the store.
// param id: name of the entry
MATCH (m:Meta {id: $id})
RETURN m.value AS value
