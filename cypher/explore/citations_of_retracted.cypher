// In-text citations of a retracted or corrected work, by year, section and time of the notice.
// `timing` compares dates of publication: `same` and `unknown` as in `explore/retracted_works`.
//
// Citations in the notice itself are left out. `as_method` needs intents.
// param paper (paper): the work concerned
MATCH (b:Paper {id: $paper})<-[:REFERS_TO]-(o:Occurrence)<-[:CONTAINS]-(s:Section)
MATCH (s)<-[:HAS_SECTION]-(a:Paper)
WHERE b.notice IS NOT NULL
  AND NOT EXISTS { MATCH (a)<-[:PUBLISHED_AS]-(:Notice)-[:CONCERNS]->(b) }
WITH a, s, o, CASE
  WHEN a.date IS NULL OR b.notice_date IS NULL THEN 'unknown'
  WHEN a.date STARTS WITH b.notice_date OR b.notice_date STARTS WITH a.date THEN 'same'
  WHEN a.date < b.notice_date THEN 'before'
  ELSE 'after' END AS timing
RETURN a.year AS year, timing, s.type AS section, count(DISTINCT a.id) AS papers,
       count(*) AS mentions,
       sum(CASE WHEN 'method' IN o.intents THEN 1 ELSE 0 END) AS as_method
ORDER BY year, timing, section
