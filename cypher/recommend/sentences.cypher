// Reads citing sentences as printed, with their sections.
// param occurrences: ids of their in-text citations, each once
// returns: id, text, section (its title)
// OPTIONAL: otherwise ladybug reads all in-text citations of the graph.
UNWIND $occurrences AS occurrence_id
MATCH (o:Occurrence {id: occurrence_id})
OPTIONAL MATCH (s:Section)-[:CONTAINS]->(o)
RETURN o.id AS id, o.context AS text, s.title AS section
