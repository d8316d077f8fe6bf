// Countries of authors by papers of each year, with the citations and importance these receive.
// Counts as in `explore/countries`.
// param country = "": ISO 3166 code, such as "CN"; empty for all countries
MATCH (p:Paper)-[:AFFILIATED_WITH]->(i:Institution)
WHERE i.country IS NOT NULL AND p.year IS NOT NULL AND ($country = '' OR i.country = $country)
WITH DISTINCT i.country AS country, p
OPTIONAL MATCH (:Paper)-[c:CITES]->(p)
WITH country, p.year AS year, p.id AS id, count(c) AS cited_by,
     coalesce(sum(c.importance), 0.0) AS importance
RETURN year, country, count(*) AS papers, sum(cited_by) AS citations, sum(importance) AS importance
ORDER BY year, papers DESC, country
