// Counts the papers with references by type.
// returns: type (empty if unknown), papers
MATCH (paper:Paper)
WHERE EXISTS { MATCH (paper)-[:CITES]->(:Paper) }
RETURN coalesce(paper.type, '') AS type, count(paper) AS papers
