// The communities of one clustering, with their topics and the community above.
// param run: id of the clustering
// returns: id, level, name, label, field, terms, papers, mean_year, diversity, part_of
MATCH (c:Community)
WHERE c.run = $run
OPTIONAL MATCH (c)-[:PART_OF]->(above:Community)
RETURN c.id AS id, c.level AS level, c.name AS name, c.label AS label, c.field AS field,
       c.terms AS terms, c.size AS papers, c.mean_year AS mean_year, c.diversity AS diversity,
       above.name AS part_of
