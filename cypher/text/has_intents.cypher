// Checks whether a model or rules have labelled the intents of any citation.
// returns: run (of one such in-text citation); no row without any
MATCH (o:Occurrence)
WHERE o.intent_run IS NOT NULL
RETURN o.intent_run AS run
LIMIT 1
