// Finds out whether the store holds any file.
MATCH (f:File)
RETURN f.id AS id
LIMIT 1
