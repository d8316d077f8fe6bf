// Lists the collections with the number of their papers.
// returns: id, files, papers
MATCH (c:Collection)
OPTIONAL MATCH (p:Paper)-[:IN_COLLECTION]->(c)
RETURN c.id AS id, c.files AS files, count(p) AS papers
ORDER BY id
