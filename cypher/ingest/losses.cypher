// For every full text, the account of its citation pointers (JSON).
MATCH (p:Paper)
WHERE p.fulltext
RETURN p.losses AS losses
