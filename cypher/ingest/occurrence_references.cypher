// Reads the entry of the reference list of each in-text citation of some papers.
// param papers: ids of the citing papers
UNWIND $papers AS paper_id
MATCH (p:Paper {id: paper_id})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence)
RETURN o.id AS id, o.reference AS reference
