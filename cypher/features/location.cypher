// Counts how often each pair is cited in the text, by type of section.
//
// The definition of f_I, f_M, f_R, f_D, f_other (CIA, section 3.1). A pair never mentioned in the
// text has a row of zeros; mentions = f_I + f_M + f_R + f_D + f_other.
// param papers: ids of citing papers, each once; run it in slices of a few hundred
// returns: citing, cited, mentions, f_I, f_M, f_R, f_D, f_other,
//   f_combined = the part of f_R in sections that combine results and discussion
UNWIND $papers AS paper
MATCH (citing:Paper {id: paper})-[:CITES]->(cited:Paper)
OPTIONAL MATCH (citing)-[:HAS_SECTION]->(section:Section)-[:CONTAINS]->(:Occurrence)-[:REFERS_TO]->(cited)
RETURN citing.id AS citing, cited.id AS cited, count(section) AS mentions,
  sum(CASE WHEN section.type = 'I' THEN 1 ELSE 0 END) AS f_I,
  sum(CASE WHEN section.type = 'M' THEN 1 ELSE 0 END) AS f_M,
  sum(CASE WHEN section.type = 'R' THEN 1 ELSE 0 END) AS f_R,
  sum(CASE WHEN section.type = 'D' THEN 1 ELSE 0 END) AS f_D,
  sum(CASE WHEN section.id IS NULL OR section.type IN ['I', 'M', 'R', 'D'] THEN 0 ELSE 1 END)
    AS f_other,
  sum(CASE WHEN section.type = 'R' AND section.combined THEN 1 ELSE 0 END) AS f_combined
