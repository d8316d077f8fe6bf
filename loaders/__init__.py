"""Loaders: one source format per module -> records of `citescape.core.types`."""
