"""Encoders are trained on triplets."""
