// Lists the collections with the ids of their papers when these were added, and the tags of each.
// returns: id, members, member_tags (of each member, separated by tabs)
MATCH (c:Collection)
RETURN c.id AS id, c.members AS members, c.member_tags AS member_tags
ORDER BY id
