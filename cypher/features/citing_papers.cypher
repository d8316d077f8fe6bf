// Lists the papers that cite and how many works each cites, to cut other queries into slices.
// returns: id, pairs; in the engine's own order of ids, which its < and > follow
MATCH (citing:Paper)-[:CITES]->(cited:Paper)
RETURN citing.id AS id, count(cited) AS pairs
ORDER BY id
