// Removes the links of papers to their venue.
// param rows: a table with column id, the papers
// writes: PUBLISHED_IN
UNWIND $rows AS row
MATCH (:Paper {id: row.id})-[x:PUBLISHED_IN]->(:Venue)
DELETE x
