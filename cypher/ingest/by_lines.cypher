// Reads the by-line, venue and year of every paper.
MATCH (p:Paper)
RETURN p.id AS id, p.surnames AS surnames, p.givens AS givens, p.roles AS roles,
       p.orcids AS orcids, p.venue AS venue, p.year AS year
