"""Which papers of a benchmark a model has learned from, and how they are kept out."""
