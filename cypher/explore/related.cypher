// The papers related to one in the network that `platform network build --write` wrote last.
// An edge is stored once, so it is followed in both directions; `kind` is the kind of its weight.
// param paper (paper): the paper
// param limit = 20: maximum number of papers
MATCH (m:Meta {id: 'network_run'})
MATCH (:Paper {id: $paper})-[edge:RELATED]-(other:Paper)
WHERE edge.run = m.value
RETURN other.id AS id, other.title AS title, other.year AS year, edge.weight AS weight,
       edge.kind AS kind
ORDER BY weight DESC, id
LIMIT $limit
