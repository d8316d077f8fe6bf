// What citations are for: citations and contexts by intent, and how many intents a citation has.
//
// `no_intent` to `three_intents` count citations with a labelled context; `not_labelled` the rest.
MATCH (:Paper)-[c:CITES]->(:Paper)
WITH c.n_background AS b, c.n_method AS m, c.n_result AS r,
     CASE WHEN c.n_background > 0 THEN 1 ELSE 0 END + CASE WHEN c.n_method > 0 THEN 1 ELSE 0 END
       + CASE WHEN c.n_result > 0 THEN 1 ELSE 0 END AS intents
RETURN sum(CASE WHEN b > 0 THEN 1 ELSE 0 END) AS background_edges,
       sum(coalesce(b, 0)) AS background_contexts,
       sum(CASE WHEN m > 0 THEN 1 ELSE 0 END) AS method_edges,
       sum(coalesce(m, 0)) AS method_contexts,
       sum(CASE WHEN r > 0 THEN 1 ELSE 0 END) AS result_edges,
       sum(coalesce(r, 0)) AS result_contexts,
       sum(CASE WHEN b IS NOT NULL AND intents = 0 THEN 1 ELSE 0 END) AS no_intent,
       sum(CASE WHEN intents = 1 THEN 1 ELSE 0 END) AS one_intent,
       sum(CASE WHEN intents = 2 THEN 1 ELSE 0 END) AS two_intents,
       sum(CASE WHEN intents = 3 THEN 1 ELSE 0 END) AS three_intents,
       sum(CASE WHEN b IS NULL THEN 1 ELSE 0 END) AS not_labelled
