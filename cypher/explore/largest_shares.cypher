// The works with the largest sum of shares of importance: each citing paper gives at most one in all.
// A paper with ten references gives more to each than a paper with three hundred, so that long
// reference lists do not decide. A paper whose importance sums to 0 gives nothing.
// param min_citing = 2: minimum number of citing papers; 1 includes works of one citing paper
// param limit = 20: maximum number of works
MATCH (a:Paper)-[c:CITES]->(:Paper)
WITH a.id AS citing, sum(c.importance) AS total
MATCH (:Paper {id: citing})-[c:CITES]->(p:Paper)
WHERE c.importance IS NOT NULL
WITH p.id AS id, p.title AS title, p.year AS year, count(c) AS cited_by,
     sum(CASE WHEN total > 0 THEN c.importance / total ELSE 0.0 END) AS shares,
     sum(c.importance) AS importance
WHERE cited_by >= $min_citing
RETURN id, title, year, cited_by, shares, importance
ORDER BY shares DESC, id
LIMIT $limit
