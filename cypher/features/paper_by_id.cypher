// Finds a paper by its id.
// param id: id of the paper
// returns: id, title
MATCH (p:Paper {id: $id})
RETURN p.id AS id, p.title AS title
