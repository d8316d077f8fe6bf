// Retracted works that papers of the graph cite, before and after the notice, and how they do.
// Dates are those of publication; `in_...` counts sections, `as_...` intents.
//
// `same`: in the year (or month, or on the day) of the notice, as far as dates are known; `unknown`: a
// date is missing. The notice itself is not counted. Sections and importance need `platform score`,
// intents `platform text intents label`.
// param notices = ["retracted", "partly retracted"]: states, also concern, corrected, reinstated
// param limit = 20: maximum number of works, the most cited after the notice first
MATCH (a:Paper)-[c:CITES]->(b:Paper)
WHERE b.notice IN $notices
  AND NOT EXISTS { MATCH (a)<-[:PUBLISHED_AS]-(:Notice)-[:CONCERNS]->(b) }
WITH b, c, CASE
  WHEN a.date IS NULL OR b.notice_date IS NULL THEN 'unknown'
  WHEN a.date STARTS WITH b.notice_date OR b.notice_date STARTS WITH a.date THEN 'same'
  WHEN a.date < b.notice_date THEN 'before'
  ELSE 'after' END AS timing
RETURN b.id AS id, b.title AS title, b.year AS year, b.notice AS notice,
       b.notice_date AS notice_date, b.notice_doi AS notice_doi, b.notice_source AS notice_source,
       count(*) AS cited_by,
       sum(CASE WHEN timing = 'before' THEN 1 ELSE 0 END) AS before,
       sum(CASE WHEN timing = 'same' THEN 1 ELSE 0 END) AS same,
       sum(CASE WHEN timing = 'after' THEN 1 ELSE 0 END) AS after,
       sum(CASE WHEN timing = 'unknown' THEN 1 ELSE 0 END) AS unknown,
       sum(c.f_I) AS in_introduction, sum(c.f_M) AS in_methods, sum(c.f_R) AS in_results,
       sum(c.f_D) AS in_discussion, sum(c.f_other) AS elsewhere,
       sum(c.n_background) AS as_background, sum(c.n_method) AS as_method,
       sum(c.n_result) AS as_result, sum(c.importance) AS importance
ORDER BY after DESC, cited_by DESC, id
LIMIT $limit
