// Looks up loaded papers with their sources.
// param ids: ids of papers
UNWIND $ids AS paper_id
MATCH (p:Paper {id: paper_id})
WHERE p.fulltext
RETURN p.id AS id, p.sources AS sources, p.source_paths AS source_paths,
       p.source_sha256 AS source_sha256, p.source_loaders AS source_loaders,
       p.source_editions AS source_editions, p.source_ids AS source_ids
