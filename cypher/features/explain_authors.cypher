// Names the authors that two papers share.
// param citing: paper id
// param cited: paper id
// returns: id, name
MATCH (citing:Paper {id: $citing})<-[:WROTE]-(author:Author)-[:WROTE]->(cited:Paper {id: $cited})
RETURN DISTINCT author.id AS id, author.name AS name
ORDER BY name, id
