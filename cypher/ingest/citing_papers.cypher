// The papers loaded themselves that have a reference list.
MATCH (p:Paper)-[:HAS_REFERENCE]->(:Reference)
WHERE p.fulltext
RETURN DISTINCT p.id AS id
