// Finds out whether the store holds any file.
MATCH (f:File)
RETURN 1 AS found
LIMIT 1
