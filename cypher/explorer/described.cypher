// What a network shows of some papers.
// param papers (papers): the papers
// returns: id, title, year, surnames, venue, type, fulltext
UNWIND $papers AS paper_id
MATCH (p:Paper {id: paper_id})
RETURN p.id AS id, p.title AS title, p.year AS year, p.surnames AS surnames, p.venue AS venue,
       p.type AS type, p.fulltext AS fulltext
