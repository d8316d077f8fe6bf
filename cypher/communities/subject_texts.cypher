// Lists the subject headings of journals for papers, as printed.
// returns: paper, term
MATCH (paper:Paper)-[:HAS_SUBJECT]->(term:Subject)
RETURN paper.id AS paper, term.text AS term
