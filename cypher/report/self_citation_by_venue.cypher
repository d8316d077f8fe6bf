// Share of self-citations by venue of the citing paper.
// param min_citations = 20: minimum number of citations of a venue
// param limit = 15: maximum number of venues
MATCH (v:Venue)<-[:PUBLISHED_IN]-(a:Paper)-[c:CITES]->(:Paper)
WHERE c.importance IS NOT NULL
WITH v.title AS venue, count(*) AS citations, sum(c.self) AS self_citations
WHERE citations >= $min_citations
RETURN venue, citations, self_citations, 1.0 * self_citations / citations AS rate
ORDER BY rate DESC, venue
LIMIT $limit
