"""Reports of evaluations: a page, a text and pictures."""
