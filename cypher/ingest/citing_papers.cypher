// Lists loaded papers with a reference list.
MATCH (p:Paper)-[:HAS_REFERENCE]->(:Reference)
WHERE p.fulltext
RETURN DISTINCT p.id AS id
