// Every entry of every reference list, with the paper it stands in.
MATCH (p:Paper)-[:HAS_REFERENCE]->(r:Reference)
RETURN p.id AS paper, r.id AS id, r.doi AS doi, r.pmid AS pmid, r.pmcid AS pmcid, r.key AS key,
       r.title AS title, r.source AS source, r.year AS year, r.surnames AS surnames,
       r.givens AS givens, r.roles AS roles, r.et_al AS et_al, r.text AS text
