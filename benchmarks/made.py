"""Papers that benchmarks make up: their names and their vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

DIMENSIONS, HIDDEN = 768, 32
Rows = np.ndarray


def name_papers(papers: int) -> Any:
    """Ids, ascending."""
    import pyarrow as pa

    return pa.array([f"p{k:07d}" for k in range(papers)], pa.string())


def make_vectors(papers: int, *, clusters: int, spread: float, seed: int = 0) -> Rows:
    """(papers, 768) float32 with the neighbourhoods of a corpus: clusters of low dimension.

    Args:
        papers: how many.
        clusters: how many of equal chance.
        spread: standard deviation in a cluster; that of the clusters' middles is 1.
        seed: of it all.
    """
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(clusters, HIDDEN)).astype(np.float32)
    hidden = centres[chance.integers(0, clusters, papers)]
    hidden += spread * chance.normal(size=(papers, HIDDEN)).astype(np.float32)
    basis = chance.normal(size=(HIDDEN, DIMENSIONS)).astype(np.float32)
    return hidden @ basis + chance.normal(size=(papers, DIMENSIONS)).astype(np.float32)


def as_vectors(values: Rows) -> Any:
    """Vectors of the package."""
    import pyarrow as pa

    from citescape.search.vectors import Vectors

    return Vectors(pa.table({"id": name_papers(len(values))}), values)
