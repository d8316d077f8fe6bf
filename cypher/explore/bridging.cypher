// Works that join readerships: cited, and not in passing, by papers of many different journals.
// param least: smallest importance of a citation that counts; 0 counts all that are scored
// param limit: how many works
MATCH (v:Venue)<-[:PUBLISHED_IN]-(:Paper)-[c:CITES]->(p:Paper)
WHERE c.importance >= $least
RETURN p.id AS id, p.title AS title, p.year AS year, count(DISTINCT v.id) AS journals,
       count(*) AS cited_by, sum(c.importance) AS importance
ORDER BY journals DESC, importance DESC, id
LIMIT $limit
