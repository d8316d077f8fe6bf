// Reads the citing sentences of some papers and the works cited in them.
//
// The first OPTIONAL: otherwise ladybug reads all sections of the graph.
// param papers: ids of the citing papers, each once; run it in slices of a few hundred
// returns: citing, cited (null if unknown), section (id), type (of the section),
//   ordinal, context, marker, reference (id)
UNWIND $papers AS paper_id
MATCH (paper:Paper {id: paper_id})
OPTIONAL MATCH (paper)-[:HAS_SECTION]->(section:Section)-[:CONTAINS]->(o:Occurrence)
WITH paper, section, o
WHERE o.id IS NOT NULL
OPTIONAL MATCH (o)-[:REFERS_TO]->(cited:Paper)
RETURN paper.id AS citing, cited.id AS cited, section.id AS section, section.type AS type,
  o.ordinal AS ordinal, o.context AS context, o.marker AS marker, o.reference AS reference
