// Reads who wrote what; a name listed twice on one paper is two rows.
// returns: author, paper
MATCH (author:Author)-[:WROTE]->(paper:Paper)
RETURN author.id AS author, paper.id AS paper
