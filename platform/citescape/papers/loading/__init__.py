"""A graph of shards -> a store: all of it, or a slice."""
