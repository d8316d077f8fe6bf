"""Papers by any identifier, their texts, bibliographic entries, and questions about them."""
