// Lists loaded papers with an id in one of their sources.
// param id: the id, such as `doi:10.1/x`
MATCH (p:Paper)
WHERE p.fulltext
UNWIND p.source_ids AS ids
WITH p, ids
WHERE ids CONTAINS $id
RETURN DISTINCT p.id AS id, p.sources AS sources, p.source_ids AS source_ids
