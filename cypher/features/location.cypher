// Counts how often each pair is cited in the text, by type of section.
//
// The definition of f_I, f_M, f_R, f_D, f_other (CIA, section 3.1). A pair never mentioned in the
// text has a row of zeros; mentions = f_I + f_M + f_R + f_D + f_other.
// param papers: ids of citing papers, each once; run it in slices of a few hundred
// param rules = false: count sections that a model typed as other
// returns: citing, cited, mentions, f_I, f_M, f_R, f_D, f_other,
//   f_combined = the part of f_R in sections that combine results and discussion
UNWIND $papers AS paper
MATCH (citing:Paper {id: paper})-[pair:CITES]->(cited:Paper)
OPTIONAL MATCH (citing)-[:HAS_SECTION]->(section:Section)-[:CONTAINS]->(:Occurrence)-[:REFERS_TO]->(cited)
WITH citing, cited, pair, section.id AS place, section.combined AS combined,
  CASE WHEN $rules AND section.type_run IS NOT NULL THEN 'other' ELSE section.type END AS type
WITH citing, cited, pair, count(place) AS mentions,
  sum(CASE WHEN type = 'I' THEN 1 ELSE 0 END) AS f_I,
  sum(CASE WHEN type = 'M' THEN 1 ELSE 0 END) AS f_M,
  sum(CASE WHEN type = 'R' THEN 1 ELSE 0 END) AS f_R,
  sum(CASE WHEN type = 'D' THEN 1 ELSE 0 END) AS f_D,
  sum(CASE WHEN place IS NULL OR type IN ['I', 'M', 'R', 'D'] THEN 0 ELSE 1 END) AS f_other,
  sum(CASE WHEN type = 'R' AND combined THEN 1 ELSE 0 END) AS f_combined
RETURN citing.id AS citing, cited.id AS cited, mentions, f_I, f_M, f_R, f_D, f_other, f_combined
