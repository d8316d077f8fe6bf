// Reads for each loaded paper the counts of its citation pointers (JSON) and its loader.
MATCH (p:Paper)
WHERE p.fulltext
RETURN p.losses AS losses, p.loader AS loader
