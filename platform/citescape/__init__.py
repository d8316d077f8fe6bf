"""citescape: which citations matter, what a field looks like, what to cite."""
