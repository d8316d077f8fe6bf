// Removes subjects that no paper has any more.
// writes: Subject
MATCH (t:Subject)
WHERE NOT EXISTS { MATCH (:Paper)-[:HAS_SUBJECT]->(t) }
DELETE t
