// Reads titles, years and authors of works.
// param papers: ids, each once
// returns: id, title, year, surnames, roles; null if missing
UNWIND $papers AS paper_id
MATCH (paper:Paper {id: paper_id})
RETURN paper.id AS id, paper.title AS title, paper.year AS year, paper.surnames AS surnames,
  paper.roles AS roles
