"""Citations and other relations of papers, as sparse arrays."""
