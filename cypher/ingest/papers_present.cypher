// Which of some papers have a node.
// param ids: paper ids
UNWIND $ids AS wanted
MATCH (p:Paper {id: wanted})
RETURN p.id AS id
