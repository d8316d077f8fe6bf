// Lists the journals of papers.
// returns: paper, term
MATCH (paper:Paper)-[:PUBLISHED_IN]->(term:Venue)
RETURN paper.id AS paper, term.id AS term
