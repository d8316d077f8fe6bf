// Lists the papers of a source, with their files and ids in it.
// param source: name of the source
MATCH (p:Paper)
WHERE $source IN p.sources
RETURN p.id AS id, p.sources AS sources, p.source_paths AS source_paths,
       p.source_ids AS source_ids
