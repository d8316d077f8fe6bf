// Reads the counts of contexts by intent of the pairs of some papers.
// param papers: ids of citing papers, each once
// returns: from, to, n_background, n_method, n_result (null if no context is labelled)
UNWIND $papers AS paper_id
MATCH (citing:Paper {id: paper_id})-[pair:CITES]->(cited:Paper)
RETURN citing.id AS `from`, cited.id AS `to`, pair.n_background AS n_background,
  pair.n_method AS n_method, pair.n_result AS n_result
