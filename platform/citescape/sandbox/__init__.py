"""Runs Cypher that nobody has checked where it can only read the graph."""
