// Counts the contexts of each pair by intent.
//
// As on ladybug, but each context of a paper is read once: an OPTIONAL MATCH would read all of them
// again for every pair.
UNWIND $papers AS paper
MATCH (citing:Paper {id: paper})
WITH citing, COUNT {
    MATCH (citing)-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(own:Occurrence)-[:REFERS_TO]->(:Paper)
    WHERE own.intents IS NOT NULL
  } AS labelled_in_paper
CALL (citing) {
  MATCH (citing)-[:CITES]->(cited:Paper)
  RETURN cited, NULL AS context, NULL AS intents
  UNION ALL
  MATCH (citing)-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence)-[:REFERS_TO]->(cited:Paper)
  RETURN cited, o.id AS context, o.intents AS intents
}
WITH citing, cited, labelled_in_paper, count(context) AS mentions, count(intents) AS labelled,
  sum(CASE WHEN 'background' IN intents THEN 1 ELSE 0 END) AS background,
  sum(CASE WHEN 'method' IN intents THEN 1 ELSE 0 END) AS method,
  sum(CASE WHEN 'result' IN intents THEN 1 ELSE 0 END) AS result
MATCH (citing)-[pair:CITES]->(cited)
WITH citing, cited, pair, background, method, result,
  labelled > 0 OR (mentions = 0 AND labelled_in_paper > 0) AS known
WITH citing, cited, pair,
  CASE WHEN known THEN background ELSE NULL END AS n_background,
  CASE WHEN known THEN method ELSE NULL END AS n_method,
  CASE WHEN known THEN result ELSE NULL END AS n_result
RETURN citing.id AS citing, cited.id AS cited, n_background, n_method, n_result
