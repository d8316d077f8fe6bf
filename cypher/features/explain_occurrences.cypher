// Reads the in-text citations of one pair in reading order.
// param citing: paper id
// param cited: paper id
// returns: heading, type, type_source, type_probability, type_run, combined, context, position, intents
MATCH (citing:Paper {id: $citing})-[:HAS_SECTION]->(section:Section)-[:CONTAINS]->(occurrence:Occurrence)-[:REFERS_TO]->(cited:Paper {id: $cited})
RETURN section.title AS heading, section.type AS type, section.combined AS combined,
  section.type_source AS type_source, section.type_probability AS type_probability,
  section.type_run AS type_run,
  occurrence.context AS context, occurrence.position AS position,
  occurrence.intents AS intents
ORDER BY section.ordinal, occurrence.ordinal, occurrence.id
