// Lists the papers of a collection with their tags.
// param collection: id of the collection
// returns: paper, tags
MATCH (p:Paper)-[x:IN_COLLECTION]->(c:Collection)
WHERE c.id = $collection
RETURN p.id AS paper, x.tags AS tags
ORDER BY paper
