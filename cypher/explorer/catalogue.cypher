// All works with what a search by title, author, journal or year needs.
// returns: id, title, year, venue, surnames, fulltext, notice, notice_year
MATCH (p:Paper)
RETURN p.id AS id, p.title AS title, p.year AS year, p.venue AS venue, p.surnames AS surnames,
       p.fulltext AS fulltext, p.notice AS notice, p.notice_year AS notice_year
