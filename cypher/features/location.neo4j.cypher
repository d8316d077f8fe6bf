// Counts how often each pair is cited in the text, by type of section.
//
// As on ladybug, but each mention of a paper is read once: an OPTIONAL MATCH would read all of them
// again for every pair.
UNWIND $papers AS paper
MATCH (citing:Paper {id: paper})
CALL (citing) {
  MATCH (citing)-[:CITES]->(cited:Paper)
  RETURN cited, NULL AS place, NULL AS combined, NULL AS type
  UNION ALL
  MATCH (citing)-[:HAS_SECTION]->(section:Section)-[:CONTAINS]->(:Occurrence)-[:REFERS_TO]->(cited:Paper)
  RETURN cited, section.id AS place, section.combined AS combined,
    CASE WHEN $rules AND section.type_run IS NOT NULL THEN 'other' ELSE section.type END AS type
}
WITH citing, cited, count(place) AS mentions,
  sum(CASE WHEN type = 'I' THEN 1 ELSE 0 END) AS f_I,
  sum(CASE WHEN type = 'M' THEN 1 ELSE 0 END) AS f_M,
  sum(CASE WHEN type = 'R' THEN 1 ELSE 0 END) AS f_R,
  sum(CASE WHEN type = 'D' THEN 1 ELSE 0 END) AS f_D,
  sum(CASE WHEN place IS NULL OR type IN ['I', 'M', 'R', 'D'] THEN 0 ELSE 1 END) AS f_other,
  sum(CASE WHEN type = 'R' AND combined THEN 1 ELSE 0 END) AS f_combined
MATCH (citing)-[pair:CITES]->(cited)
RETURN citing.id AS citing, cited.id AS cited, mentions, f_I, f_M, f_R, f_D, f_other, f_combined
