// Finds papers that no edge of a facet subgraph leaves or reaches.
//
// What is trained on the edges of a facet knows nothing of them: they are no queries and no
// positives there.
// param papers (papers): those to look at, each once; in slices of a few thousand
// param intent such as "method": background, method or result
// returns: id
UNWIND $papers AS wanted
MATCH (paper:Paper {id: wanted})
WHERE NOT EXISTS {
    MATCH (paper)-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(own:Occurrence)-[:REFERS_TO]->(cited:Paper)
    WHERE $intent IN own.intents AND cited.id <> paper.id
  }
  AND NOT EXISTS {
    MATCH (paper)<-[:REFERS_TO]-(other:Occurrence)<-[:CONTAINS]-(:Section)<-[:HAS_SECTION]-(citing:Paper)
    WHERE $intent IN other.intents AND citing.id <> paper.id
  }
RETURN paper.id AS id
