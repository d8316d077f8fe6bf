"""Rankers by name, rankings of external systems, and traits of encoders."""
