// Removes venues that no paper has any more.
// writes: Venue
MATCH (t:Venue)
WHERE NOT EXISTS { MATCH (:Paper)-[:PUBLISHED_IN]->(t) }
DELETE t
