// Lists papers with the texts for encoders.
// param which: `fulltext`, or `all` to include works known from reference lists only
// returns: id, title, abstract; null or empty if missing
MATCH (paper:Paper)
WHERE paper.fulltext OR $which = 'all'
RETURN paper.id AS id, paper.title AS title, paper.abstract AS abstract
