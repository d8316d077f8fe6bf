// Reads the in-text citations of one pair in reading order.
// param citing: paper id
// param cited: paper id
// returns: heading, type, combined, context, position
MATCH (citing:Paper {id: $citing})-[:HAS_SECTION]->(section:Section)-[:CONTAINS]->(occurrence:Occurrence)-[:REFERS_TO]->(cited:Paper {id: $cited})
RETURN section.title AS heading, section.type AS type, section.combined AS combined,
  occurrence.context AS context, occurrence.position AS position
ORDER BY section.ordinal, occurrence.ordinal, occurrence.id
