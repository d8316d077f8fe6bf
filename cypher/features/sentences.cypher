// Reads every in-text citation with its sentence and intents: the evidence of learned importance.
// param first: id of the first citing paper
// param last: id of the last citing paper
// returns: citing, cited, type, context, marker, position, intents (null until labelled) and the
//   probability of each intent (null for intents of the source)
MATCH (citing:Paper)-[:HAS_SECTION]->(section:Section)-[:CONTAINS]->(mention:Occurrence)-[:REFERS_TO]->(cited:Paper)
WHERE citing.id >= $first AND citing.id <= $last
RETURN citing.id AS citing, cited.id AS cited, section.type AS type, mention.context AS context,
  mention.marker AS marker, mention.position AS position, mention.intents AS intents,
  mention.intent_background AS background, mention.intent_method AS method,
  mention.intent_result AS result
