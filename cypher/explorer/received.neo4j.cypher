// What works receive: number of citing papers, and the sum of importance (null before scoring).
//
// The sum of nulls only is 0 in Neo4j, null in ladybug.
// returns: id, cited_by, importance
MATCH (:Paper)-[c:CITES]->(p:Paper)
RETURN p.id AS id, count(*) AS cited_by,
       CASE WHEN count(c.importance) = 0 THEN null ELSE sum(c.importance) END AS importance
