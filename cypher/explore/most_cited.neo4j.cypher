// The works with the most citing papers, and how often the texts mention them.
//
// The sum of nulls only is 0 in Neo4j, null in ladybug.
// Mentions are known once citations are scored; before that they are null.
// param limit = 20: maximum number of works
MATCH (:Paper)-[c:CITES]->(p:Paper)
RETURN p.id AS id, p.title AS title, p.year AS year, count(*) AS cited_by,
       CASE WHEN count(c.mentions) = 0 THEN null ELSE sum(c.mentions) END AS mentions
ORDER BY cited_by DESC, id
LIMIT $limit
