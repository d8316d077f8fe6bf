// Reads the body sections of some papers, with the number of in-text citations in each.
// param papers: ids of full texts, each once; run it in slices of a few hundred
// returns: paper, article_type, id, ordinal, depth, parent, title, words, opening, type,
//   type_source, type_probability, type_run, combined, citations
UNWIND $papers AS paper_id
MATCH (paper:Paper {id: paper_id})-[:HAS_SECTION]->(section:Section)
WHERE section.kind = 'body'
OPTIONAL MATCH (section)-[:CONTAINS]->(occurrence:Occurrence)
RETURN paper.id AS paper, paper.type AS article_type, section.id AS id,
  section.ordinal AS ordinal, section.depth AS depth, section.parent AS parent,
  section.title AS title, section.words AS words, section.opening AS opening,
  section.type AS type, section.type_source AS type_source,
  section.type_probability AS type_probability, section.type_run AS type_run,
  section.combined AS combined, count(occurrence) AS citations
