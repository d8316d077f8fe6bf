// Lists the notices of a table.
// param file: name of the file
// returns: id
MATCH (n:Notice {file: $file})
RETURN n.id AS id
