// Remembers further files that hold a paper already loaded.
// param rows: a table with columns id (paper) and sha256 (list of hashes)
// writes: Paper.sha256
UNWIND $rows AS row
MATCH (p:Paper {id: row.id})
SET p.sha256 = p.sha256 + row.sha256
