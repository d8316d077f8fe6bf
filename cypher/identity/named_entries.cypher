// Lists the entries of reference lists that print an id or have a key, and their works.
// param kind: kind of id (doi, pmid, ...), `key`, or `id` for the entry itself
// param value: the id
MATCH (r:Reference)-[:MATCHES]->(w:Paper)
WHERE CASE $kind WHEN 'doi' THEN r.doi WHEN 'pmid' THEN r.pmid WHEN 'pmcid' THEN r.pmcid WHEN 'openalex' THEN r.openalex
      WHEN 's2' THEN r.s2 WHEN 'id' THEN r.id ELSE r.key END
      IN [$value, 'id-' + $kind + ':' + $value]
RETURN r.id AS id, r.doi AS doi, r.pmid AS pmid, r.pmcid AS pmcid, r.openalex AS openalex, r.s2 AS s2,
       r.key AS key, w.id AS work
