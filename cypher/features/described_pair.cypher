// Reads the years of two papers, and how many papers cite the second.
// param citing: paper id
// param cited: paper id
// returns: citing_year, cited_year, cited_by
MATCH (citing:Paper {id: $citing})-[:CITES]->(cited:Paper {id: $cited})
MATCH (cited)<-[:CITES]-(other:Paper)
RETURN citing.year AS citing_year, cited.year AS cited_year, count(other) AS cited_by
