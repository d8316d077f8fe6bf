// How to name some works.
// param ids: ids of the works
MATCH (p:Paper)
WHERE p.id IN $ids
RETURN p.id AS id, p.title AS title, p.year AS year, p.surnames AS surnames, p.doi AS doi
