"""Communities of related papers: finding, judging, naming them."""
