// Lists the subject headings of journals for papers.
// returns: paper, term
MATCH (paper:Paper)-[:HAS_SUBJECT]->(term:Subject)
RETURN paper.id AS paper, term.id AS term
