// Lists the papers that a network is about.
// param which: `fulltext`, or `all`: also those known from reference lists only
// returns: id
MATCH (paper:Paper)
WHERE paper.fulltext OR $which = 'all'
RETURN paper.id AS id
