"""Local citation recommendation (LCR): benchmarks of citation contexts, and evaluations."""
