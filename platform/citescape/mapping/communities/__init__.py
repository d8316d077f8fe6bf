"""Communities of related papers: detection, evaluation and labels."""
