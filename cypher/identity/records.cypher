// Lists the sources of a paper with their ids.
// param work (paper): the paper
MATCH (p:Paper {id: $work})
WHERE p.fulltext
RETURN p.id AS id, p.sources AS sources, p.source_ids AS source_ids, p.source_paths AS source_paths
