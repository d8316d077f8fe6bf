"""Report page of a corpus: citations read, works of highest importance, sections, self-citation."""
