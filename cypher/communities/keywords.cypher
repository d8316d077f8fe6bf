// Lists the author keywords of papers.
// returns: paper, term
MATCH (paper:Paper)-[:HAS_KEYWORD]->(term:Keyword)
RETURN paper.id AS paper, term.id AS term
