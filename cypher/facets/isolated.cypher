// Finds papers without edges in a facet subgraph.
//
// A training on the edges of a facet does not see them: they are neither queries nor positives.
// param papers (papers): papers to check, each once; in slices of a few thousand
// param intent such as "method": background, method or result
// returns: id
UNWIND $papers AS paper_id
MATCH (paper:Paper {id: paper_id})
WHERE NOT EXISTS {
    MATCH (paper)-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(own:Occurrence)-[:REFERS_TO]->(cited:Paper)
    WHERE $intent IN own.intents AND cited.id <> paper.id
  }
  AND NOT EXISTS {
    MATCH (paper)<-[:REFERS_TO]-(other:Occurrence)<-[:CONTAINS]-(:Section)<-[:HAS_SECTION]-(citing:Paper)
    WHERE $intent IN other.intents AND citing.id <> paper.id
  }
RETURN paper.id AS id
