"""What the text says: section types, citation intents, the parts of abstracts."""
