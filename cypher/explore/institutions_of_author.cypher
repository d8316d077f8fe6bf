// The institutions of an author, from the by-lines of the loaded papers, the latest first.
// param author such as "orcid:0000-0002-1825-0097": id of the author
MATCH (a:Author {id: $author})-[w:WROTE]->(p:Paper)-[x:AFFILIATED_WITH]->(i:Institution)
WHERE string(w.position) IN string_split(x.positions, ' ')
RETURN i.id AS id, i.name AS name, i.country AS country, count(DISTINCT p.id) AS papers,
       min(p.year) AS first, max(p.year) AS last
ORDER BY last DESC, papers DESC, id
