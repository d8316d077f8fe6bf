// Papers that are notices about some works.
// param papers (papers): the works concerned
// returns: citing (the notice), cited (the work)
UNWIND $papers AS paper_id
MATCH (a:Paper)<-[:PUBLISHED_AS]-(:Notice)-[:CONCERNS]->(b:Paper {id: paper_id})
RETURN DISTINCT a.id AS citing, b.id AS cited
