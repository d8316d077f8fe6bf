"""Index of what a store was resolved from, so that an update costs what it changes."""
