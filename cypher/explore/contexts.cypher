// The sentences that cite a work, with their sections.
// param paper (paper): the cited work
// param limit = 20: maximum number of sentences, by importance of the citation
MATCH (b:Paper {id: $paper})<-[:REFERS_TO]-(o:Occurrence)<-[:CONTAINS]-(s:Section)
MATCH (s)<-[:HAS_SECTION]-(a:Paper)-[c:CITES]->(b)
RETURN a.id AS citing, a.year AS year, s.type AS type, s.title AS section,
       c.importance AS importance, o.context AS context
ORDER BY coalesce(importance, -1.0) DESC, citing, o.ordinal
LIMIT $limit
