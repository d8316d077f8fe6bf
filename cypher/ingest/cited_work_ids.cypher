// Lists works known from reference lists only.
MATCH (p:Paper)
WHERE NOT p.fulltext
RETURN p.id AS id
