// Removes keywords that no paper has any more.
// writes: Keyword
MATCH (t:Keyword)
WHERE NOT EXISTS { MATCH (:Paper)-[:HAS_KEYWORD]->(t) }
DELETE t
