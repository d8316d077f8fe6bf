// Removes the links of papers to their subjects.
// param rows: a table with column id, the papers
// writes: HAS_SUBJECT
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[x:HAS_SUBJECT]->(:Subject)
DELETE x
