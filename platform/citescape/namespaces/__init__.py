"""The methods of a corpus, grouped by what they are for."""
