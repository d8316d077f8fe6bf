"""Rerankers: order retrieved candidates, reading each of them together with the query."""
