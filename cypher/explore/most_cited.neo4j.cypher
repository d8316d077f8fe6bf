// The works with the most citing papers, and how often the texts mention them.
//
// Neo4j's sum of nothing but nulls is 0, ladybug's is null.
// Mentions are known once citations are scored; before that they are null.
// param limit = 20: how many works
MATCH (:Paper)-[c:CITES]->(p:Paper)
RETURN p.id AS id, p.title AS title, p.year AS year, count(*) AS cited_by,
       CASE WHEN count(c.mentions) = 0 THEN null ELSE sum(c.mentions) END AS mentions
ORDER BY cited_by DESC, id
LIMIT $limit
