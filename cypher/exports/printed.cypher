// Reads volume and first page of papers as reference lists print them.
// param papers: ids
// returns: id, volume, page, entries (number of entries with this pair);
//   no row for papers without entries
UNWIND $papers AS paper_id
MATCH (paper:Paper {id: paper_id})<-[:MATCHES]-(entry:Reference)
RETURN paper.id AS id, entry.volume AS volume, entry.page AS page, count(*) AS entries
