// Lists the papers that have a title or an abstract that is not blank.
//
// Papers without either cannot be encoded, so they are in no triplet.
// returns: id
MATCH (paper:Paper)
WHERE trim(coalesce(paper.title, '')) <> '' OR trim(coalesce(paper.abstract, '')) <> ''
RETURN paper.id AS id
