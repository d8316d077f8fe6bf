// Lists the headings and subjects that journals file papers under, as printed.
// returns: paper, term
MATCH (paper:Paper)-[:HAS_SUBJECT]->(term:Subject)
RETURN paper.id AS paper, term.text AS term
