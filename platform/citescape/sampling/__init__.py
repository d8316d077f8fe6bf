"""Triplets to learn from: anchor, positive, negative."""
