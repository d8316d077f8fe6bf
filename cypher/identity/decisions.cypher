// Lists the decisions of users on what is one work.
// returns: id, kind (join, split), first, second: names of entries or records
MATCH (d:IdentityDecision)
RETURN d.id AS id, d.kind AS kind, d.first AS first, d.second AS second
ORDER BY id
