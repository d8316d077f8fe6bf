// Lists works whose title begins with the word "retracted", or has it in brackets.
// returns: id, title, type
MATCH (p:Paper)
WHERE toLower(p.title) STARTS WITH 'retracted' OR toLower(p.title) STARTS WITH '[retracted'
RETURN p.id AS id, p.title AS title, p.type AS type
