"""Vectors and citations with planted factors, for proving that learning finds what is there.

A paper's vector is a sum of one random direction for each of its labels, times the label's
strength, and noise. A strong label that citations should not follow (the venue) is a nuisance.
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
    """Vectors (papers, dimensions): one random direction a label value, times strength, and noise.

    Args:
        labels: name -> value of each paper (papers,), and how strongly it shows.
        noise: its standard deviation; directions have the length 1 on average.
        dimensions: of the vectors.
        rng: source of chance.
    """
    papers = len(next(iter(labels.values()))[0])
    total = noise * rng.normal(size=(papers, dimensions))
    for values, strength in labels.values():
        total += strength * rng.normal(size=(int(values.max()) + 1, dimensions))[values]
    return np.asarray(total / np.sqrt(dimensions), np.float32)


@dataclass(frozen=True)
class FacetWorld:
    """Papers with a label in each facet and a venue; each facet has citations of its own."""

    labels: Ints
    """(papers, 3): of background, method, result."""
    venue: Ints
    """(papers,)"""
    citations: Mapping[str, Citations]
    """Facet -> its subgraph, weighted by contexts; papers isolated in it are not in it."""

    @property
    def ids(self) -> pa.StringArray:
        """Of all papers, ascending."""
        return paper_ids(len(self.venue))


def paper_ids(papers: int) -> pa.StringArray:
    """`w00000`, `w00001`, ..."""
    return pa.array([f"w{k:05d}" for k in range(papers)])


def generate_facet_world(
    *, papers: int = 400, labels: int = 10, references: float = 6.0, seed: int = 0
) -> FacetWorld:
    """Papers that cite older ones for their background, their method and their result.

    Six of seven citations of a facet go to papers with the same label in it, the others anywhere.

    Args:
        papers: how many, in the order of their age.
        labels: values of each facet.
        references: mean number of citations with the same label, a paper and facet.
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
        lists: paper -> its references and which of them are important. A list without either
            kind is left out.
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
