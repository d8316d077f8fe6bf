// Counts the in-text citations, with a pair or not.
// returns: mentions
MATCH (:Paper)-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(:Occurrence)-[refers:REFERS_TO]->(:Paper)
RETURN count(refers) AS mentions
