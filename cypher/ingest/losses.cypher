// Reads for each loaded paper the counts of its citation pointers (JSON) and the source of its text.
MATCH (p:Paper)
WHERE p.fulltext
RETURN p.losses AS losses, p.text_source AS text_source
