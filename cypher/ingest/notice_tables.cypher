// Counts the notices of each table of notices.
// returns: source (name of the file), notices
MATCH (n:Notice)
WHERE n.file IS NOT NULL
RETURN n.file AS source, count(*) AS notices
ORDER BY source
