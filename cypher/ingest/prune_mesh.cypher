// Removes MeSH descriptors that no paper has any more.
// writes: MeshDescriptor
MATCH (t:MeshDescriptor)
WHERE NOT EXISTS { MATCH (:Paper)-[:HAS_MESH]->(t) }
DELETE t
