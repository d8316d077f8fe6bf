"""Which papers belong into a sentence: local citation recommendation."""
