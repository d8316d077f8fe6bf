// Lists papers with what an encoder reads of them.
// param which: `fulltext`, or `all`: also those known from reference lists only
// returns: id, title, abstract; null or empty where there is none
MATCH (paper:Paper)
WHERE paper.fulltext OR $which = 'all'
RETURN paper.id AS id, paper.title AS title, paper.abstract AS abstract
