// Counts the contexts of each pair by intent.
//
// The definition of n_background, n_method, n_result, which are the weights of the facet subgraphs
// (FLeW, Eq. 2 and 3; facets/background, facets/method, facets/result). A count is 0 if the pair has
// labelled contexts, but none with that intent, or if a paper with labelled contexts never mentions
// the work; null if none of its contexts is labelled.
// param papers: ids of citing papers, each once; run it in slices of a few hundred
// returns: citing, cited, n_background, n_method, n_result
UNWIND $papers AS paper
OPTIONAL MATCH (:Paper {id: paper})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(own:Occurrence)-[:REFERS_TO]->(:Paper)
WITH paper, count(own.intents) AS labelled_in_paper
MATCH (citing:Paper {id: paper})-[pair:CITES]->(cited:Paper)
OPTIONAL MATCH (citing)-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(context:Occurrence)-[:REFERS_TO]->(cited)
WITH citing, cited, pair, labelled_in_paper, count(context.id) AS mentions,
  count(context.intents) AS labelled,
  sum(CASE WHEN 'background' IN context.intents THEN 1 ELSE 0 END) AS background,
  sum(CASE WHEN 'method' IN context.intents THEN 1 ELSE 0 END) AS method,
  sum(CASE WHEN 'result' IN context.intents THEN 1 ELSE 0 END) AS result
WITH citing, cited, pair, background, method, result,
  labelled > 0 OR (mentions = 0 AND labelled_in_paper > 0) AS known
WITH citing, cited, pair,
  CASE WHEN known THEN background ELSE NULL END AS n_background,
  CASE WHEN known THEN method ELSE NULL END AS n_method,
  CASE WHEN known THEN result ELSE NULL END AS n_result
RETURN citing.id AS citing, cited.id AS cited, n_background, n_method, n_result
