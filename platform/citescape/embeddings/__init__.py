"""Vectors of papers: stored, searched, written to the graph."""
