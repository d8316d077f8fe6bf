// What some works receive: citing papers, importance, mentions by section, intents, self-citations.
//
// `scored`, `counted` and `labelled` are the citations with importance, counts and intents.
// OPTIONAL: otherwise ladybug reads all citations of the graph.
// param papers (papers): the works
// returns: id, cited_by, importance (0 without scores), scored, counted, labelled, self, I, M, R,
//   D, other (mentions), background, method, result (contexts)
UNWIND $papers AS paper_id
MATCH (cited:Paper {id: paper_id})
OPTIONAL MATCH (cited)<-[c:CITES]-(:Paper)
RETURN paper_id AS id, count(c) AS cited_by, coalesce(sum(c.importance), 0.0) AS importance,
       count(c.importance) AS scored, count(c.f_I) AS counted, count(c.n_background) AS labelled,
       coalesce(sum(c.self), 0) AS self,
       coalesce(sum(c.f_I), 0) AS I, coalesce(sum(c.f_M), 0) AS M, coalesce(sum(c.f_R), 0) AS R,
       coalesce(sum(c.f_D), 0) AS D, coalesce(sum(c.f_other), 0) AS other,
       coalesce(sum(c.n_background), 0) AS background, coalesce(sum(c.n_method), 0) AS method,
       coalesce(sum(c.n_result), 0) AS result
