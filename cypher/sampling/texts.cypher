// Tells of every paper whether it has a title and whether it has an abstract.
//
// What has neither cannot be encoded, so it is in no triplet.
// returns: id, titled, abstracted
MATCH (paper:Paper)
RETURN paper.id AS id, trim(coalesce(paper.title, '')) <> '' AS titled,
  trim(coalesce(paper.abstract, '')) <> '' AS abstracted
