// Removes the links of papers to their keywords.
// param rows: a table with column id, the papers
// writes: HAS_KEYWORD
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[x:HAS_KEYWORD]->(:Keyword)
DELETE x
