"""Names of the splits and candidates of a benchmark of sentences."""

ALL, TRAINING = "all", "training"
"""Candidates: every known work, or papers of the training sentences as in published benchmarks."""
TRAIN, VALIDATION, TEST = "train", "val", "test"
