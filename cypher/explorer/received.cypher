// What works receive from papers of each type: citing papers, and the sum of importance (null before
// scoring).
// returns: id, type (of the citing papers, "" if unknown), cited_by, importance
MATCH (a:Paper)-[c:CITES]->(p:Paper)
WITH p.id AS id, coalesce(a.type, '') AS type, c.importance AS importance
RETURN id, type, count(*) AS cited_by, sum(importance) AS importance
