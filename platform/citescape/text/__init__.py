"""Section types, citation intents, and the parts of abstracts."""
