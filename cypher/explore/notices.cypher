// Works with a notice, and the citations to them before and after it, by state of the work.
// States are `retracted`, `corrected` and others; dates as in `explore/retracted_works`.
MATCH (b:Paper)
WHERE b.notice IS NOT NULL
OPTIONAL MATCH (a:Paper)-[:CITES]->(b)
WHERE NOT EXISTS { MATCH (a)<-[:PUBLISHED_AS]-(:Notice)-[:CONCERNS]->(b) }
WITH b.notice AS notice, b.id AS id, a.id AS citing, CASE
  WHEN a.date IS NULL OR b.notice_date IS NULL THEN 'unknown'
  WHEN a.date STARTS WITH b.notice_date OR b.notice_date STARTS WITH a.date THEN 'same'
  WHEN a.date < b.notice_date THEN 'before'
  ELSE 'after' END AS timing
RETURN notice, count(DISTINCT id) AS works, count(citing) AS citations,
       sum(CASE WHEN timing = 'before' THEN 1 ELSE 0 END) AS before,
       sum(CASE WHEN timing = 'same' THEN 1 ELSE 0 END) AS same,
       sum(CASE WHEN timing = 'after' THEN 1 ELSE 0 END) AS after,
       sum(CASE WHEN timing = 'unknown' AND citing IS NOT NULL THEN 1 ELSE 0 END) AS unknown
ORDER BY notice
