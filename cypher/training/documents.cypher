// Reads texts for training: title, abstract, and the parts of split abstracts.
// returns: id, title, abstract, background, method, result; null if missing
MATCH (paper:Paper)
RETURN paper.id AS id, paper.title AS title, paper.abstract AS abstract,
  paper.abstract_background AS background, paper.abstract_method AS method,
  paper.abstract_result AS result
