// Reads one pair with its counts and its score.
// param citing: paper id
// param cited: paper id
// returns: the columns of CITES; no row if the pair does not exist
MATCH (citing:Paper {id: $citing})-[pair:CITES]->(cited:Paper {id: $cited})
RETURN pair.mentions AS mentions, pair.f_I AS f_I, pair.f_M AS f_M, pair.f_R AS f_R,
  pair.f_D AS f_D, pair.f_other AS f_other, pair.self AS self,
  pair.title_similarity AS title_similarity, pair.importance AS importance, pair.run AS run
