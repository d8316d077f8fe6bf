// Reads what the store notes about itself under one name.
// param id: the name
MATCH (m:Meta {id: $id})
RETURN m.value AS value
