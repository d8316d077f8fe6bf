// What a paper really builds on: its references by importance, its own authors' works marked.
MATCH (a:Paper {id: $paper})-[c:CITES]->(b:Paper)
RETURN b.title, c.importance, c.mentions, c.self
ORDER BY c.importance DESC, b.id
LIMIT 10
