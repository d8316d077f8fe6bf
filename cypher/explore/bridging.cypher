// Works cited by papers of many different journals, with more than low importance.
// param least = 0.5: smallest importance of a citation that counts; 0 counts all scored citations
// param limit = 20: maximum number of works
MATCH (v:Venue)<-[:PUBLISHED_IN]-(:Paper)-[c:CITES]->(p:Paper)
WHERE c.importance >= $least
WITH p.id AS id, p.title AS title, p.year AS year, count(DISTINCT v.id) AS journals,
     count(*) AS cited_by, sum(c.importance) AS importance
WHERE journals > 1
RETURN id, title, year, journals, cited_by, importance
ORDER BY journals DESC, importance DESC, id
LIMIT $limit
