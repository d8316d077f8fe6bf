"""Rankers: what finds the documents that belong to a query, and what they found."""
