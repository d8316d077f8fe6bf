// Suggests papers whose id or title contains what was typed, ids that end with it first.
// param text: lower case
// param ending: of ids that name a data set or a kind of identifier before it: a colon, lower case
// returns: id, title, named (whether the id ends so); at most three
MATCH (paper:Paper)
WHERE toLower(paper.id) CONTAINS $text OR toLower(paper.title) CONTAINS $text
  OR toLower(paper.id) ENDS WITH $ending
RETURN paper.id AS id, paper.title AS title, toLower(paper.id) ENDS WITH $ending AS named
ORDER BY named DESC, id
LIMIT 3
