// Removes the links of papers to their mesh.
// param rows: a table with column id, the papers
// writes: HAS_MESH
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[x:HAS_MESH]->(:MeshDescriptor)
DELETE x
