// Reads the citing sentences of some papers and the works cited in them.
// param papers: ids of the citing papers, each once; run it in slices of a few hundred
// returns: citing, cited (null if unknown), section (id), type (of the section),
//   ordinal, context, marker, reference (id)
UNWIND $papers AS paper_id
MATCH (paper:Paper {id: paper_id})-[:HAS_SECTION]->(section:Section)-[:CONTAINS]->(o:Occurrence)
OPTIONAL MATCH (o)-[:REFERS_TO]->(cited:Paper)
RETURN paper.id AS citing, cited.id AS cited, section.id AS section, section.type AS type,
  o.ordinal AS ordinal, o.context AS context, o.marker AS marker, o.reference AS reference
