// Lists the papers that cite by a source.
// param source: name of the source
MATCH (p:Paper)-[:HAS_REFERENCE]->(r:Reference)
WHERE r.data_source = $source
RETURN DISTINCT p.id AS id
