"""How well encoders and rankers do: published benchmarks, and benchmarks of one's own graph."""
