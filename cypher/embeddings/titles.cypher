// Reads titles, years and notices of papers.
// param papers: ids
// returns: id, title, year, notice, notice_year; no row for papers that are not in the graph
UNWIND $papers AS paper_id
MATCH (paper:Paper {id: paper_id})
RETURN paper.id AS id, paper.title AS title, paper.year AS year,
       paper.notice AS notice, paper.notice_year AS notice_year
