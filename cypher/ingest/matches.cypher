// Reads the work of each entry of the reference lists of some papers.
// param papers: ids of the citing papers
UNWIND $papers AS paper_id
MATCH (p:Paper {id: paper_id})-[:HAS_REFERENCE]->(r:Reference)-[m:MATCHES]->(w:Paper)
RETURN r.id AS `from`, w.id AS `to`, m.matched_by AS matched_by
