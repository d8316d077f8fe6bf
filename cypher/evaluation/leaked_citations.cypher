// Citations of benchmark queries with both ends in a training list; there should be none.
// Citing papers are compared with the shorter list, of the queries in the training list.
// param queries: ids of the queries
// param learned: ids of the papers of the training list
// returns: citing, cited
UNWIND $learned AS name
WITH name
WHERE name IN $queries
WITH collect(name) AS leaked
UNWIND $learned AS other
MATCH (a:Paper)-[:CITES]->(b:Paper {id: other})
WHERE a.id IN leaked
RETURN a.id AS citing, b.id AS cited
ORDER BY citing, cited
