"""Leakage: papers of a benchmark in training data, and their exclusion from triplets."""
