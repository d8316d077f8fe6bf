"""Edges shared by networks, and the number expected by chance (CIA, Fig. 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.compiled import compiled
from citescape.core.pairs import encode
from citescape.networks.network import Links, Network, find_density, read_links, share

Codes = npt.NDArray[np.int32]


@dataclass(frozen=True)
class EdgeOverlap:
    """Undirected edges of two networks among their common papers; weights are ignored."""

    papers: int
    """n: number of common papers; only edges between them count."""
    edges: int
    """E1: edges of the first network."""
    other_edges: int
    """E2: edges of the other network."""
    shared: int
    """S: edges in both networks."""
    left_out: int = 0
    """Edges of the first network with an end that is not in the other."""
    other_left_out: int = 0
    """Edges of the other network with an end that is not in the first."""

    @property
    def share(self) -> float | None:
        """S / E1: share of the first network's edges; None without edges."""
        return share(self.shared, self.edges)

    @property
    def other_share(self) -> float | None:
        """S / E2: share of the other network's edges; None without edges."""
        return share(self.shared, self.other_edges)

    @property
    def jaccard(self) -> float | None:
        """S / (E1 + E2 - S): share of the edges in either network."""
        return share(self.shared, self.edges + self.other_edges - self.shared)

    @property
    def expected(self) -> float:
        """E1 p with p = 2 E2 / (n (n - 1)): expected S for random edges of the other network."""
        return self.edges * (find_density(self.papers, self.other_edges) or 0.0)

    @property
    def times_expected(self) -> float | None:
        """S / (E1 p); None if `expected` is 0."""
        return share(self.shared, self.expected)


def compare_edges(first: Network, other: Network) -> EdgeOverlap:
    """Counts the edges shared by two networks, whose papers may differ.

    The result has the share of either network's edges and of all edges.
    """
    common = first.ids.filter(pc.is_in(first.ids, value_set=other.ids))
    # (papers,) position of each paper among the common papers, or -1; (common,) the reverse. Both
    # orders ascend, so neighbours sorted by one are sorted by the other.
    codes, other_codes = encode(first.ids, common), encode(other.ids, common)
    rows, other_rows = (np.flatnonzero(c >= 0).astype(np.int32) for c in (codes, other_codes))
    edges, other_edges, shared = _compare(
        read_links(first), read_links(other), codes, rows, other_codes, other_rows
    )
    return EdgeOverlap(
        len(common),
        edges // 2,
        other_edges // 2,
        shared // 2,
        left_out=first.edges - edges // 2,
        other_left_out=other.edges - other_edges // 2,
    )


def overlap_table(networks: Mapping[str, Network]) -> pa.Table:
    """Compares all pairs of networks.

    Returns:
        One row per pair, in order: network, other, and all figures of `EdgeOverlap`.
    """
    rows = []
    for name, other in combinations(networks, 2):
        overlap = compare_edges(networks[name], networks[other])
        figures = {field: getattr(overlap, field) for field in FIGURES}
        rows.append({"network": name, "other": other, **figures})
    return pa.Table.from_pylist(rows, _SCHEMA)


FIGURES: Mapping[str, pa.DataType] = {
    **dict.fromkeys(("papers", "edges", "other_edges", "shared"), pa.int64()),
    **dict.fromkeys(("left_out", "other_left_out"), pa.int64()),
    **dict.fromkeys(("share", "other_share", "jaccard"), pa.float64()),
    **dict.fromkeys(("expected", "times_expected"), pa.float64()),
}
"""Figure of `EdgeOverlap` -> its type."""
_SCHEMA = pa.schema({"network": pa.string(), "other": pa.string(), **FIGURES})


@compiled
def _compare(
    first: Links,
    other: Links,
    codes: Codes,
    rows: Codes,
    other_codes: Codes,
    other_rows: Codes,
) -> tuple[int, int, int]:
    """Numbers of edges of the first, the other and both networks, counted from both ends."""
    edges, other_edges, shared = 0, 0, 0
    near = np.empty(len(rows), np.int32)
    for paper in range(len(rows)):
        count = 0
        for at in range(first.indptr[rows[paper]], first.indptr[rows[paper] + 1]):
            code = codes[first.neighbours[at]]
            if code >= 0:
                near[count] = code
                count += 1
        edges += count
        seen = 0
        for at in range(other.indptr[other_rows[paper]], other.indptr[other_rows[paper] + 1]):
            code = other_codes[other.neighbours[at]]
            if code < 0:
                continue
            other_edges += 1
            while seen < count and near[seen] < code:
                seen += 1
            if seen < count and near[seen] == code:
                shared += 1
    return edges, other_edges, shared
