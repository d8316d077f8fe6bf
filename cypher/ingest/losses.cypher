// For every paper loaded itself, the account of its citation pointers (JSON) and what read it.
MATCH (p:Paper)
WHERE p.fulltext
RETURN p.losses AS losses, p.loader AS loader
