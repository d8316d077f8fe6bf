// Reads all entries of the reference lists of some papers.
// param papers: ids of the citing papers
UNWIND $papers AS paper_id
MATCH (p:Paper {id: paper_id})-[:HAS_REFERENCE]->(r:Reference)
RETURN p.id AS paper, r.id AS id, r.doi AS doi, r.pmid AS pmid, r.pmcid AS pmcid, r.openalex AS openalex,
       r.s2 AS s2, r.key AS key,
       r.title AS title, r.source AS source, r.volume AS volume, r.page AS page,
       r.year AS year, r.surnames AS surnames,
       r.givens AS givens, r.roles AS roles, r.et_al AS et_al, r.text AS text
