// Lists the headings and subjects that journals file papers under.
// returns: paper, term
MATCH (paper:Paper)-[:HAS_SUBJECT]->(term:Subject)
RETURN paper.id AS paper, term.id AS term
