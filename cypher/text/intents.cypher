// Reads the in-text citations of some papers, with their intents so far.
// param papers: ids of full texts, each once; run it in slices of a few hundred
// returns: citing, cited (null if unknown), id, context, title and section (type) of the
//   section, and the columns that `platform text intents label` writes
UNWIND $papers AS paper_id
MATCH (paper:Paper {id: paper_id})-[:HAS_SECTION]->(section:Section)-[:CONTAINS]->(o:Occurrence)
OPTIONAL MATCH (o)-[:REFERS_TO]->(cited:Paper)
RETURN paper.id AS citing, cited.id AS cited, o.id AS id, o.context AS context,
  section.title AS title, section.type AS section, o.intents AS intents,
  o.intent_background AS intent_background, o.intent_method AS intent_method,
  o.intent_result AS intent_result, o.intent_run AS intent_run
