// Counts what has intents: in-text citations, and pairs with counts by intent.
// returns: labelled (a row for each of the two)
MATCH (context:Occurrence)
WHERE context.intents IS NOT NULL
RETURN count(context) AS labelled
UNION ALL
MATCH (:Paper)-[pair:CITES]->(:Paper)
WHERE pair.n_background IS NOT NULL
RETURN count(pair) AS labelled
