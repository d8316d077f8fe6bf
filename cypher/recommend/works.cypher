// Reads titles, years, authors and notices (retractions, corrections) of works.
// param papers: ids, each once
// returns: id, title, year, surnames, roles, notice, notice_year; null if missing
UNWIND $papers AS paper_id
MATCH (paper:Paper {id: paper_id})
RETURN paper.id AS id, paper.title AS title, paper.year AS year, paper.surnames AS surnames,
  paper.roles AS roles, paper.notice AS notice, paper.notice_year AS notice_year
