// Lists the papers that have a title or an abstract; blanks are none.
//
// What has neither cannot be encoded, so it is in no triplet.
// returns: id
MATCH (paper:Paper)
WHERE trim(coalesce(paper.title, '')) <> '' OR trim(coalesce(paper.abstract, '')) <> ''
RETURN paper.id AS id
