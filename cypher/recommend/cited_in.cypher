// Lists citing sentences, to detect changes of the graph.
// param first: id of the first citing paper
// param last: id of the last citing paper
// returns: id (of the in-text citation), text, marker, cited (paper)
MATCH (citing:Paper)-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence)-[:REFERS_TO]->(cited:Paper)
WHERE citing.id >= $first AND citing.id <= $last
RETURN o.id AS id, o.context AS text, o.marker AS marker, cited.id AS cited
