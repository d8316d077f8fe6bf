"""Networks small enough to check by hand, and random networks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from citescape.networks.network import Network, build_network

Edge = tuple[int, int]
BRIDGE: Sequence[Edge] = ((0, 1), (1, 2), (2, 0), (2, 3), (3, 5), (5, 4), (4, 3))
"""Two triangles joined by an edge, from the manual of CWTS networkanalysis."""


def names(count: int) -> pa.StringArray:
    return pa.array([f"p{k:04d}" for k in range(count)], pa.string())


def network(
    papers: int,
    edges: Sequence[Edge],
    weights: Sequence[float] | None = None,
    *,
    core: Sequence[bool] | None = None,
) -> Network:
    """Edges may be given in any order and direction."""
    ends = np.array(edges, np.int64).reshape(-1, 2)
    given = np.ones(len(ends)) if weights is None else np.array(weights, np.float64)
    mask = None if core is None else np.array(core, np.bool_)
    return build_network(names(papers), (ends[:, 0], ends[:, 1]), given, core=mask)


def bridge() -> Network:
    return network(6, BRIDGE)


@st.composite
def networks(draw: st.DrawFn, max_papers: int = 9, *, cores: bool = False) -> Network:
    """Any network with papers; weights are sixteenths, so that sums are exact."""
    papers = draw(st.integers(1, max_papers))
    every = [(i, j) for i in range(papers) for j in range(i)]
    edges = draw(st.lists(st.sampled_from(every), unique=True)) if every else []
    weight = st.integers(1, 64).map(lambda number: number / 16)
    weights = draw(st.lists(weight, min_size=len(edges), max_size=len(edges)))
    core = draw(st.lists(st.booleans(), min_size=papers, max_size=papers)) if cores else None
    return network(papers, edges, weights, core=core)
