// Lists papers with their titles, years, journals and notices for maps.
// returns: id, title, year, venue, notice, notice_year; null if missing
MATCH (paper:Paper)
RETURN paper.id AS id, paper.title AS title, paper.year AS year, paper.venue AS venue,
       paper.notice AS notice, paper.notice_year AS notice_year
