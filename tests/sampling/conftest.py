"""Random citation graphs, as dictionaries and as arrays for samplers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from citescape.networks.citations import Citations, build_citations
from citescape.sampling.pool import Mask
from citescape.sampling.triplets import Triplets

References = dict[str, float]
Graph = dict[str, References]
"""Citing paper -> cited paper -> importance."""


@dataclass(frozen=True)
class Row:
    """A triplet in readable form."""

    anchor: str
    positive: str
    negative: str
    positive_reason: str
    negative_reason: str
    positive_rank: int | None
    negative_rank: int | None
    positive_score: float | None
    negative_score: float | None
    split: str

    @property
    def pair(self) -> tuple[str, str]:
        """Anchor and positive."""
        return self.anchor, self.positive


def rows(triplets: Triplets) -> list[Row]:
    return [Row(**row) for row in triplets.to_table().to_pylist()]


def name(paper: int) -> str:
    return f"p{paper:03d}"


def star(references: int, *, anchor: str = "anchor", free: int = 9) -> Graph:
    """An anchor with references r1 .. rn, r1 the most important, in a corpus with free papers.

    The free papers cite each other; they can be sampled at random.
    """
    graph: Graph = {anchor: {f"r{k}": 1 / k for k in range(1, references + 1)}}
    for k in range(free - 1):
        graph[f"free{k}"] = {f"free{k + 1}": 1.0}
    return graph


def arrays(graph: Graph, order: Iterable[int] | None = None) -> Citations:
    """The graph as rows of a table, in a given order."""
    pairs = [(a, b, w) for a, cited in graph.items() for b, w in cited.items()]
    pairs = [pairs[k] for k in order] if order is not None else pairs
    columns = list(zip(*pairs, strict=True)) or [(), (), ()]
    kinds = (("citing", pa.string()), ("cited", pa.string()), ("weight", pa.float64()))
    columns_by_name = {
        name: pa.array(values, kind) for (name, kind), values in zip(kinds, columns, strict=True)
    }
    return build_citations(pa.table(columns_by_name))


def with_text(citations: Citations, *, without: Iterable[str] = ()) -> Mask:
    """Mask of papers that may be in a triplet: all except the given ones."""
    missing = set(without)
    return np.array([id_ not in missing for id_ in citations.ids.to_pylist()], np.bool_)


def random_graph(papers: int, degree: float, seed: int, levels: int = 4) -> Graph:
    """Random graph in which importance has few values, so that many are tied."""
    chance = np.random.default_rng(seed)
    graph: Graph = {}
    for citing in range(papers):
        size = min(papers, int(chance.poisson(degree)))
        cited = chance.choice(papers, size, replace=False)
        values = chance.integers(0, levels, size) / 2
        found = {name(c): float(v) for c, v in zip(cited, values, strict=True) if c != citing}
        if found:
            graph[name(citing)] = found
    return graph


graphs = st.builds(
    random_graph, st.integers(3, 40), st.floats(1, 12), st.integers(0, 2**31 - 1)
).filter(bool)
"""Graphs of three to forty papers, some without references, some without citations."""
