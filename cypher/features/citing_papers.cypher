// Lists citing papers and the number of works each cites, to split other queries into slices.
// returns: id, pairs; in the order of ids that < and > of the engine use
MATCH (citing:Paper)-[:CITES]->(cited:Paper)
RETURN citing.id AS id, count(cited) AS pairs
ORDER BY id
