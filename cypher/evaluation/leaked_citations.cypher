// Citations of a benchmark's queries of which a training list holds both ends; none should be.
// The shorter list, of the queries that were learned from, is the one that ends are compared with.
// param asked: ids of the queries, a list
// param learned: ids of the papers that were learned from, a list
// returns: citing, cited
UNWIND $learned AS name
WITH name
WHERE name IN $asked
WITH collect(name) AS queries
UNWIND $learned AS other
MATCH (a:Paper)-[:CITES]->(b:Paper {id: other})
WHERE a.id IN queries
RETURN a.id AS citing, b.id AS cited
ORDER BY citing, cited
