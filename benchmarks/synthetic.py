"""Generated papers of benchmarks: ids and vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

DIMENSIONS, HIDDEN = 768, 32
Rows = np.ndarray


def name_papers(papers: int) -> Any:
    """Sorted ids."""
    import pyarrow as pa

    return pa.array([f"p{k:07d}" for k in range(papers)], pa.string())


def make_vectors(papers: int, *, clusters: int, spread: float, seed: int = 0) -> Rows:
    """(papers, 768) float32 with neighbourhoods like a corpus: clusters of low dimension.

    Args:
        papers: number of papers.
        clusters: number of clusters of equal probability.
        spread: standard deviation within a cluster; that of the centres is 1.
        seed: random seed.
    """
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(clusters, HIDDEN)).astype(np.float32)
    hidden = centres[chance.integers(0, clusters, papers)]
    hidden += spread * chance.normal(size=(papers, HIDDEN)).astype(np.float32)
    basis = chance.normal(size=(HIDDEN, DIMENSIONS)).astype(np.float32)
    return hidden @ basis + chance.normal(size=(papers, DIMENSIONS)).astype(np.float32)


def as_vectors(values: Rows) -> Any:
    """Vectors as a type of the package."""
    import pyarrow as pa

    from citescape.search.vectors import Vectors

    return Vectors(pa.table({"id": name_papers(len(values))}), values)
