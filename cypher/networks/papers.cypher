// Lists the papers for a network.
// param which: `fulltext`, or `all` to include works known from reference lists only
// param earliest: first year of publication
// param latest: last year of publication
// param undated: assumed year of papers without a year
// returns: id
MATCH (paper:Paper)
WHERE (paper.fulltext OR $which = 'all')
  AND coalesce(paper.year, $undated) >= $earliest AND coalesce(paper.year, $undated) <= $latest
RETURN paper.id AS id
