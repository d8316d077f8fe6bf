"""Vectors and citations with planted factors, to verify that learning recovers them.

A paper's vector is a sum of one random direction for each of its labels, times the label's
strength, and noise. A strong label that is unrelated to citations (the venue) is a nuisance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.types import FACETS
from citescape.demo.citations import Bools, Ints
from citescape.networks.citations import Citations, build_citations

Vectors = npt.NDArray[np.float32]


def plant_vectors(
    labels: Mapping[str, tuple[Ints, float]],
    *,
    noise: float,
    dimensions: int,
    rng: np.random.Generator,
) -> Vectors:
    """Vectors (papers, dimensions): directions of label values, times strength, plus noise.

    Args:
        labels: name -> value of each paper (papers,), and its strength.
        noise: standard deviation of the noise; directions have the length 1 on average.
        dimensions: dimensions of the vectors.
        rng: random generator.
    """
    papers = len(next(iter(labels.values()))[0])
    total = noise * rng.normal(size=(papers, dimensions))
    for values, strength in labels.values():
        total += strength * rng.normal(size=(int(values.max()) + 1, dimensions))[values]
    return np.asarray(total / np.sqrt(dimensions), np.float32)


@dataclass(frozen=True)
class FacetWorld:
    """Papers with a label in each facet and a venue; each facet has its own citations."""

    labels: Ints
    """(papers, 3): labels in background, method, result."""
    venue: Ints
    """(papers,): venue of each paper."""
    citations: Mapping[str, Citations]
    """Facet -> its subgraph, weighted by contexts, without isolated papers."""

    @property
    def ids(self) -> pa.StringArray:
        """Ids of all papers, ascending."""
        return paper_ids(len(self.venue))


def paper_ids(papers: int) -> pa.StringArray:
    """`w00000`, `w00001`, ..."""
    return pa.array([f"w{k:05d}" for k in range(papers)])


def generate_facet_world(
    *, papers: int = 400, labels: int = 10, references: float = 6.0, seed: int = 0
) -> FacetWorld:
    """Generates papers that cite older papers in each facet.

    Six of seven citations of a facet cite papers with the same label, the others random papers.

    Args:
        papers: number of papers, oldest first.
        labels: number of label values of each facet.
        references: mean number of citations with the same label per paper and facet.
        seed: the same seed gives the same world.
    """
    rng = np.random.default_rng([seed, 17])
    values = rng.integers(labels, size=(papers, len(FACETS)))
    ids = paper_ids(papers)
    citations = {
        facet: _cite(ids, values[:, k], references, rng=rng) for k, facet in enumerate(FACETS)
    }
    return FacetWorld(values, rng.integers(8, size=papers), citations)


def _cite(
    ids: pa.StringArray, label: Ints, references: float, *, rng: np.random.Generator
) -> Citations:
    citing: list[int] = []
    cited: list[int] = []
    for paper in range(1, len(label)):
        same = np.flatnonzero(label[:paper] == label[paper])
        alike = rng.permutation(same)[: rng.poisson(references)]
        others = rng.integers(paper, size=rng.poisson(references / 6))
        chosen = np.unique(np.concatenate([alike, others]))
        citing += [paper] * len(chosen)
        cited += chosen.tolist()
    weights = 1.0 + rng.poisson(0.3, len(cited))
    ends = {"citing": ids.take(pa.array(citing)), "cited": ids.take(pa.array(cited))}
    return build_citations(pa.table({**ends, "weight": weights}))


def compute_precision(vectors: Vectors, labels: Ints, *, k: int = 10) -> float:
    """Mean share of a paper's k nearest (cosine) that have its label: P@k, 0..1."""
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = units @ units.T  # (papers, papers)
    np.fill_diagonal(cosines, -np.inf)
    nearest = np.argpartition(-cosines, k, axis=1)[:, :k]
    return float((labels[nearest] == labels[:, None]).mean())


def compute_core_map(vectors: Vectors, lists: Mapping[int, tuple[Ints, Bools]]) -> float:
    """Mean average precision of ranking each paper's important references above the others.

    Args:
        vectors: (papers, d).
        lists: paper -> its references and which of them are important. Lists of one kind
            only are skipped.
    """
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    precisions = []
    for paper, (references, important) in lists.items():
        if important.all() or not important.any():
            continue
        order = np.argsort(-(units[references] @ units[paper]), kind="stable")
        hits = important[order]
        ranks = np.arange(1, len(hits) + 1)
        precisions.append(float((np.cumsum(hits) / ranks)[hits].mean()))
    return float(np.mean(precisions))
