// Lists the types of papers, each once.
// returns: type (empty if unknown)
MATCH (paper:Paper)
RETURN DISTINCT coalesce(paper.type, '') AS type
