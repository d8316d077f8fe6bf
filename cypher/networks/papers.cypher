// Lists the papers that a network is about.
// param which: `fulltext`, or `all`: also those known from reference lists only
// param earliest: year of publication
// param latest: year of publication
// param undated: the year that papers without one are taken to be of
// returns: id
MATCH (paper:Paper)
WHERE (paper.fulltext OR $which = 'all')
  AND coalesce(paper.year, $undated) >= $earliest AND coalesce(paper.year, $undated) <= $latest
RETURN paper.id AS id
