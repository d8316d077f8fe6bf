// Counts the pairs with a mention in a section that a model typed, except as other.
// returns: pairs
MATCH (citing:Paper)-[:HAS_SECTION]->(section:Section)-[:CONTAINS]->(:Occurrence)-[:REFERS_TO]->(cited:Paper)
WHERE section.type_run IS NOT NULL AND section.type IN ['I', 'M', 'R', 'D']
WITH DISTINCT citing, cited
MATCH (citing)-[pair:CITES]->(cited)
RETURN count(pair) AS pairs
