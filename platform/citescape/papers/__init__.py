"""Papers by any identifier, their texts and bibliographic entries, and Cypher statements."""
