// Reads every name on a by-line with its author and the evidence for it.
// returns: paper, author, name (as printed), evidence
MATCH (author:Author)-[wrote:WROTE]->(paper:Paper)
RETURN paper.id AS paper, author.id AS author, wrote.name AS name, wrote.evidence AS evidence
