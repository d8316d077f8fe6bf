// Lists the papers that a network is about.
// param which: `fulltext`, or `all`: also those known from reference lists only
// param dated: only papers of the years from `first` to `last`
// param first: year
// param last: year
// returns: id
MATCH (paper:Paper)
WHERE (paper.fulltext OR $which = 'all')
  AND (NOT $dated OR (paper.year >= $first AND paper.year <= $last))
RETURN paper.id AS id
