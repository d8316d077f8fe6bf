// References of the papers of communities, and how much of them are self-citations.
// param run: id of the clustering
// returns: id (of the community), references, scored, importance, self_citations, self_importance
MATCH (c:Community)<-[:IN_COMMUNITY]-(:Paper)-[x:CITES]->(:Paper)
WHERE c.run = $run
RETURN c.id AS id, count(*) AS references, count(x.importance) AS scored,
       sum(coalesce(x.importance, 0.0)) AS importance,
       sum(CASE WHEN x.importance IS NULL THEN 0 ELSE x.self END) AS self_citations,
       sum(CASE WHEN x.self = 1 THEN coalesce(x.importance, 0.0) ELSE 0.0 END) AS self_importance
