// Reads one pair with its counts and its score, and the notice about the cited work.
// param citing: paper id
// param cited: paper id
// returns: the columns of CITES, the notice of the cited work, the date of the citing paper; no row
// if the pair does not exist
MATCH (citing:Paper {id: $citing})-[pair:CITES]->(cited:Paper {id: $cited})
RETURN pair.mentions AS mentions, pair.f_I AS f_I, pair.f_M AS f_M, pair.f_R AS f_R,
  pair.f_D AS f_D, pair.f_other AS f_other, pair.self AS self,
  pair.title_similarity AS title_similarity, pair.importance AS importance, pair.run AS run,
  pair.abstract_similarity AS abstract_similarity,
  pair.n_background AS n_background, pair.n_method AS n_method, pair.n_result AS n_result,
  cited.notice AS notice, cited.notice_date AS notice_date, cited.notice_year AS notice_year,
  cited.notice_doi AS notice_doi, cited.notice_source AS notice_source,
  citing.date AS date, citing.year AS year,
  EXISTS { MATCH (citing)<-[:PUBLISHED_AS]-(:Notice)-[:CONCERNS]->(cited) } AS is_notice
