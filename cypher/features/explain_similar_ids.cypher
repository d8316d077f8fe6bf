// Suggests papers whose id or title contains what was typed.
// param text: lower case
// returns: id, title; at most three
MATCH (paper:Paper)
WHERE toLower(paper.id) CONTAINS $text OR toLower(paper.title) CONTAINS $text
RETURN paper.id AS id, paper.title AS title
ORDER BY id
LIMIT 3
