// Suggests papers whose id or title contains a text, ids that end with it first.
// param text: lower case
// param ending: a colon and the text in lower case, the end of ids with a data set or kind
// returns: id, title, named (whether the id ends so); at most three
MATCH (paper:Paper)
WHERE toLower(paper.id) CONTAINS $text OR toLower(paper.title) CONTAINS $text
  OR toLower(paper.id) ENDS WITH $ending
RETURN paper.id AS id, paper.title AS title, toLower(paper.id) ENDS WITH $ending AS named
ORDER BY named DESC, id
LIMIT 3
