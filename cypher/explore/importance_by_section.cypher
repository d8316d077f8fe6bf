// In-text citations by type of section, with the importance of the cited works.
// A work cited in two types of section counts in both. `type` is I introduction, M methods,
// R results, D discussion, other.
MATCH (a:Paper)-[:HAS_SECTION]->(s:Section)-[:CONTAINS]->(o:Occurrence)-[:REFERS_TO]->(b:Paper)
MATCH (a)-[c:CITES]->(b)
WHERE c.importance IS NOT NULL
WITH s.type AS type, a.id AS citing, b.id AS cited, c.importance AS importance, c.self AS self,
     count(o) AS mentions
RETURN type, sum(mentions) AS mentions, count(*) AS citations, avg(importance) AS mean_importance,
       1.0 * sum(self) / count(*) AS self_citation_rate
ORDER BY type
