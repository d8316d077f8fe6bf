"""Exact and approximate top-k search over vectors and words."""
