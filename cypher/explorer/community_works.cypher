// Works that the papers of a community cite.
// param community: id of the community
// returns: id, title, year, surnames, venue, notice, notice_year, citations, scored, importance,
//   self_importance
MATCH (:Community {id: $community})<-[:IN_COMMUNITY]-(:Paper)-[x:CITES]->(w:Paper)
RETURN w.id AS id, w.title AS title, w.year AS year, w.surnames AS surnames, w.venue AS venue,
       w.notice AS notice, w.notice_year AS notice_year,
       count(*) AS citations, count(x.importance) AS scored,
       sum(coalesce(x.importance, 0.0)) AS importance,
       sum(CASE WHEN x.self = 1 THEN coalesce(x.importance, 0.0) ELSE 0.0 END) AS self_importance
