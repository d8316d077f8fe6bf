// Reads the authors of papers, each author of a paper once.
// returns: author, paper
MATCH (author:Author)-[:WROTE]->(paper:Paper)
RETURN author.id AS author, paper.id AS paper
