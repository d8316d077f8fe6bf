// Reads sentences that cite, as they are printed, with their sections.
// param occurrences: ids of their in-text citations, each once
// returns: id, text, section (its title)
// OPTIONAL: else ladybug reads all in-text citations that there are.
UNWIND $occurrences AS wanted
MATCH (o:Occurrence {id: wanted})
OPTIONAL MATCH (s:Section)-[:CONTAINS]->(o)
RETURN o.id AS id, o.context AS text, s.title AS section
