"""Sentences of papers without what tells which works they cite."""
