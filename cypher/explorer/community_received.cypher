// Citations that the papers of communities receive.
// param run: id of the clustering
// returns: id (of the community), cited_by, received (sum of importance)
MATCH (:Paper)-[x:CITES]->(:Paper)-[:IN_COMMUNITY]->(c:Community)
WHERE c.run = $run
RETURN c.id AS id, count(*) AS cited_by, sum(coalesce(x.importance, 0.0)) AS received
