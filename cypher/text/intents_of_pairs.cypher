// Reads the intents of every labelled in-text citation of some papers, by citing and cited paper.
// param papers: ids of full texts, each once; run it in slices of a few hundred
// returns: citing, cited, intents (null or empty where there is none)
UNWIND $papers AS wanted
MATCH (citing:Paper {id: wanted})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence)-[:REFERS_TO]->(cited:Paper)
WHERE o.intents IS NOT NULL OR o.intent_run IS NOT NULL
RETURN citing.id AS citing, cited.id AS cited, o.intents AS intents
