// What a network shows of some papers.
// param papers (papers): the papers
// returns: id, title, year, date, surnames, venue, type, fulltext, notice and its date, DOI, source
UNWIND $papers AS paper_id
MATCH (p:Paper {id: paper_id})
RETURN p.id AS id, p.title AS title, p.year AS year, p.surnames AS surnames, p.venue AS venue,
       p.type AS type, p.fulltext AS fulltext, p.date AS date, p.notice AS notice,
       p.notice_date AS notice_date, p.notice_year AS notice_year, p.notice_doi AS notice_doi,
       p.notice_source AS notice_source
