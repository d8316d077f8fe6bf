// What works receive from papers of each type: citing papers, and the sum of importance (null before
// scoring).
//
// The sum of nulls only is 0 in Neo4j, null in ladybug.
// returns: id, type (of the citing papers, "" if unknown), cited_by, importance
MATCH (a:Paper)-[c:CITES]->(p:Paper)
WITH p.id AS id, coalesce(a.type, '') AS type, c.importance AS importance
RETURN id, type, count(*) AS cited_by,
       CASE WHEN count(importance) = 0 THEN null ELSE sum(importance) END AS importance
