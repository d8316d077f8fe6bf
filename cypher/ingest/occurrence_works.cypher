// Reads the work of each in-text citation of some papers.
// param papers: ids of the citing papers
UNWIND $papers AS paper_id
MATCH (p:Paper {id: paper_id})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence)
MATCH (o)-[:REFERS_TO]->(w:Paper)
RETURN o.id AS `from`, w.id AS `to`
