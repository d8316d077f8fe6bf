// Reads every in-text citation as citing paper, cited paper and section type.
// param first: id of the first citing paper
// param last: id of the last citing paper
// returns: citing, cited, type, combined, relabelled (true if a model assigned the type)
MATCH (citing:Paper)-[:HAS_SECTION]->(section:Section)-[:CONTAINS]->(:Occurrence)-[:REFERS_TO]->(cited:Paper)
WHERE citing.id >= $first AND citing.id <= $last
RETURN citing.id AS citing, cited.id AS cited, section.type AS type, section.combined AS combined,
  section.type_run IS NOT NULL AS relabelled
