// Reads authors and years of the references of some papers, as printed.
// param papers: ids of the citing papers, each once
// returns: id, surnames, year
UNWIND $papers AS paper_id
MATCH (paper:Paper {id: paper_id})-[:HAS_REFERENCE]->(r:Reference)
RETURN r.id AS id, r.surnames AS surnames, r.year AS year
