// Summarises the citations that works have received: importance, intents, types of sections.
// param papers: ids, each once
// returns: id, citing (papers), importance (mean; null before it is scored), background, method,
//   result (in-text citations; `labelled` is 0 until they are labelled), I, M, R, D, other (by type
//   of section; `counted` is 0 until they are counted)
// OPTIONAL: otherwise ladybug reads all citations of the graph.
UNWIND $papers AS paper_id
MATCH (cited:Paper {id: paper_id})
OPTIONAL MATCH (cited)<-[c:CITES]-(:Paper)
RETURN paper_id AS id, count(c) AS citing, avg(c.importance) AS importance,
  coalesce(sum(c.n_background), 0) AS background, coalesce(sum(c.n_method), 0) AS method,
  coalesce(sum(c.n_result), 0) AS result,
  count(c.n_background) AS labelled, count(c.f_I) AS counted,
  coalesce(sum(c.f_I), 0) AS I, coalesce(sum(c.f_M), 0) AS M, coalesce(sum(c.f_R), 0) AS R,
  coalesce(sum(c.f_D), 0) AS D, coalesce(sum(c.f_other), 0) AS other
