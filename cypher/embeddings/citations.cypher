// Reads the citations of one paper in both directions.
// param paper: paper id
// returns: id (of the other paper), cites (true if `paper` cites it, false if it cites `paper`),
//   importance
MATCH (own:Paper {id: $paper})-[pair:CITES]->(other:Paper)
RETURN other.id AS id, true AS cites, pair.importance AS importance
UNION ALL
MATCH (other:Paper)-[pair:CITES]->(own:Paper {id: $paper})
RETURN other.id AS id, false AS cites, pair.importance AS importance
