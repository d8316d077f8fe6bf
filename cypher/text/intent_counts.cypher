// Reads how many contexts of each intent the pairs of some papers are said to have.
// param papers: ids of citing papers, each once
// returns: from, to, n_background, n_method, n_result (null where no context is labelled)
UNWIND $papers AS wanted
MATCH (citing:Paper {id: wanted})-[pair:CITES]->(cited:Paper)
RETURN citing.id AS `from`, cited.id AS `to`, pair.n_background AS n_background,
  pair.n_method AS n_method, pair.n_result AS n_result
