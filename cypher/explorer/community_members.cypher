// The papers of a community, with what they receive from all papers.
// param community: id of the community
// returns: id, title, year, surnames, venue, notice, notice_year, cited_by, importance
MATCH (p:Paper)-[:IN_COMMUNITY]->(:Community {id: $community})
OPTIONAL MATCH (:Paper)-[x:CITES]->(p)
RETURN p.id AS id, p.title AS title, p.year AS year, p.surnames AS surnames, p.venue AS venue,
       p.notice AS notice, p.notice_year AS notice_year,
       count(x) AS cited_by, sum(coalesce(x.importance, 0.0)) AS importance
