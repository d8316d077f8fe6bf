// Reads the records of papers that several sources have.
// param ids: ids of papers
UNWIND $ids AS paper_id
MATCH (r:Record)-[:DESCRIBES]->(p:Paper {id: paper_id})
RETURN p.id AS paper, r.source AS source, r.rows AS rows
