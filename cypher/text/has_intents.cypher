// Says whether a model, or rules, have judged what any citation is for.
// returns: run = of one such in-text citation; no row where there is none
MATCH (o:Occurrence)
WHERE o.intent_run IS NOT NULL
RETURN o.intent_run AS run
LIMIT 1
