"""One page about a corpus: what was read, which works matter, where, and to whom."""
