// Lists loaded papers that name other versions of their work.
MATCH (p:Paper)
WHERE p.fulltext AND size(p.versions) > 0
RETURN p.id AS id, p.versions AS versions, p.sources AS sources
