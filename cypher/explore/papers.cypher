// Properties of some papers.
// param papers (papers): the papers
UNWIND $papers AS paper_id
MATCH (p:Paper {id: paper_id})
RETURN p.id AS id, p.title AS title, p.year AS year, p.surnames AS surnames,
       p.fulltext AS fulltext
