"""The embedded engine: a store is a file."""
