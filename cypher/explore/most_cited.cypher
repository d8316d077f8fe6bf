// The works with the most citing papers, and how often the texts mention them.
// Mentions are known once citations are scored; before that they are null.
// param limit = 20: maximum number of works
MATCH (:Paper)-[c:CITES]->(p:Paper)
RETURN p.id AS id, p.title AS title, p.year AS year, count(*) AS cited_by,
       sum(c.mentions) AS mentions
ORDER BY cited_by DESC, id
LIMIT $limit
