// Lists the cited works of a paper, the most important first.
// param citing: paper id
// returns: id, title
MATCH (citing:Paper {id: $citing})-[pair:CITES]->(cited:Paper)
RETURN cited.id AS id, cited.title AS title, coalesce(pair.importance, -1.0) AS importance
ORDER BY importance DESC, id
