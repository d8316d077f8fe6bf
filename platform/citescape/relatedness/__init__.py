"""Measures of how closely papers are related, from a store to networks in run directories."""
