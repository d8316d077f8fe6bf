// Reads for each loaded paper the counts of its citation pointers (JSON) and the source of its text.
// returns: id, losses, text_source (null without text)
MATCH (p:Paper)
WHERE p.fulltext
RETURN p.id AS id, p.losses AS losses, p.text_source AS text_source
