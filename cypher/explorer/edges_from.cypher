// Citations that leave some papers, with all that a score and a filter read.
//
// OPTIONAL: otherwise ladybug reads all citations of the graph.
// param papers (papers): the papers
// returns: citing, cited, importance, self, mentions, f_I ..., n_background ..., title_similarity
UNWIND $papers AS paper_id
MATCH (a:Paper {id: paper_id})
OPTIONAL MATCH (a)-[c:CITES]->(b:Paper)
WITH a, c, b
WHERE b.id IS NOT NULL
RETURN a.id AS citing, b.id AS cited, c.importance AS importance, c.self AS self,
       c.mentions AS mentions, c.f_I AS f_I, c.f_M AS f_M, c.f_R AS f_R, c.f_D AS f_D,
       c.f_other AS f_other, c.n_background AS n_background, c.n_method AS n_method,
       c.n_result AS n_result, c.title_similarity AS title_similarity
