// Institutions by papers, with the citations and the importance that the papers receive.
// A paper with several institutions counts once in each. Without ROR or OpenAlex id, different
// printed forms of one institution are apart. Unscored citations have no importance.
// param country = "": ISO 3166 code, such as "CN"; empty for all institutions
// param earliest = 0: first year of publication of the papers
// param latest = 9999: last year
// param limit = 20: maximum number of institutions
MATCH (p:Paper)-[:AFFILIATED_WITH]->(i:Institution)
WHERE p.year >= $earliest AND p.year <= $latest AND ($country = '' OR i.country = $country)
OPTIONAL MATCH (:Paper)-[c:CITES]->(p)
WITH i.id AS id, i.name AS name, i.country AS country, p.id AS paper, count(c) AS cited_by,
     coalesce(sum(c.importance), 0.0) AS importance
RETURN id, name, country, count(*) AS papers, sum(cited_by) AS citations,
       sum(importance) AS importance
ORDER BY papers DESC, importance DESC, id
LIMIT $limit
