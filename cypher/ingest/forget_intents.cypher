// Clears the counts of intents of citing papers before their contexts are replaced.
// param rows: table with the column id (papers)
// writes: CITES.n_background, n_method, n_result
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[c:CITES]->(:Paper)
WHERE c.n_background IS NOT NULL
SET c.n_background = NULL, c.n_method = NULL, c.n_result = NULL
