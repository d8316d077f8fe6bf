"""Errors, types, identifiers, arrays, hashing, random numbers, files, progress: no domain."""
