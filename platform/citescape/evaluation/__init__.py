"""Evaluation of encoders and rankers on published benchmarks and on benchmarks of a graph."""
