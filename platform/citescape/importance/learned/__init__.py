"""Importance learned from labelled citations: predictors, additive model, training, scores."""
