// Lists the cited works without any id that are no loaded paper, the most cited first.
// param limit = 10: maximum number of works
// returns: id, title, year, venue, entries (of reference lists that name the work)
MATCH (:Reference)-[:MATCHES]->(w:Paper)
WHERE NOT w.fulltext AND coalesce(w.doi, w.pmid, w.pmcid, w.openalex, w.s2) IS NULL
RETURN w.id AS id, w.title AS title, w.year AS year, w.venue AS venue, count(*) AS entries
ORDER BY entries DESC, id
LIMIT $limit
