// Countries of authors by papers, with the citations and the importance that the papers receive.
// A paper with authors in several countries counts once in each. Papers without a year, and
// affiliations without a country, are left out. Unscored citations have no importance.
// param earliest = 0: first year of publication of the papers
// param latest = 9999: last year
// param limit = 20: maximum number of countries
MATCH (p:Paper)-[:AFFILIATED_WITH]->(i:Institution)
WHERE i.country IS NOT NULL AND p.year >= $earliest AND p.year <= $latest
WITH DISTINCT i.country AS country, p
OPTIONAL MATCH (:Paper)-[c:CITES]->(p)
WITH country, p.id AS id, count(c) AS cited_by, coalesce(sum(c.importance), 0.0) AS importance
RETURN country, count(*) AS papers, sum(cited_by) AS citations, sum(importance) AS importance
ORDER BY papers DESC, country
LIMIT $limit
