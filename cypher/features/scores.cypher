// Reads the scores of earlier runs; null without a score.
// param first: id of the first citing paper
// param last: id of the last citing paper
// returns: citing, cited and the columns of CITES that `platform score` writes
MATCH (citing:Paper)-[pair:CITES]->(cited:Paper)
WHERE citing.id >= $first AND citing.id <= $last
RETURN citing.id AS citing, cited.id AS cited, pair.mentions AS mentions, pair.f_I AS f_I,
  pair.f_M AS f_M, pair.f_R AS f_R, pair.f_D AS f_D, pair.f_other AS f_other, pair.self AS self,
  pair.title_similarity AS title_similarity, pair.abstract_similarity AS abstract_similarity,
  pair.importance AS importance, pair.run AS run
