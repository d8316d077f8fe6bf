// Counts citations, and those that have an importance.
// returns: citations, scored
MATCH (:Paper)-[pair:CITES]->(:Paper)
RETURN count(*) AS citations, count(pair.importance) AS scored
