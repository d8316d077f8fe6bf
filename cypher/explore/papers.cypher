// What is known of some papers.
// param papers (papers): those papers
UNWIND $papers AS wanted
MATCH (p:Paper {id: wanted})
RETURN p.id AS id, p.title AS title, p.year AS year, p.surnames AS surnames,
       p.fulltext AS fulltext
