// Reads the properties of papers for files of networks.
// param papers: ids
// returns: id, title, year, venue, doi, pmid, pmcid, type, fulltext, surnames, givens, roles;
//   no row for papers that are not in the graph
UNWIND $papers AS paper_id
MATCH (paper:Paper {id: paper_id})
RETURN paper.id AS id, paper.title AS title, paper.year AS year, paper.venue AS venue,
  paper.doi AS doi, paper.pmid AS pmid, paper.pmcid AS pmcid, paper.type AS type,
  paper.fulltext AS fulltext, paper.surnames AS surnames, paper.givens AS givens, paper.roles AS roles
