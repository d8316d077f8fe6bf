// Which entry of the reference list each in-text citation of some papers names.
// param papers: ids of the citing papers
UNWIND $papers AS wanted
MATCH (:Paper {id: wanted})-[:HAS_SECTION]->(:Section)-[:CONTAINS]->(o:Occurrence)
RETURN o.id AS id, o.reference AS reference
