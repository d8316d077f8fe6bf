// Empties the counts of intents of what papers cite: their contexts are about to be replaced.
// param rows: a table with column id, the papers
// writes: CITES.n_background, n_method, n_result
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[c:CITES]->(:Paper)
WHERE c.n_background IS NOT NULL
SET c.n_background = NULL, c.n_method = NULL, c.n_result = NULL
