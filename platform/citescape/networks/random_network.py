"""Random networks, a baseline for other networks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from citescape.core.compiled import compiled
from citescape.core.draws import draw
from citescape.networks.network import Network, build_network

_EDGES = 1 << 40
"""Key of these draws, distinct from positions of papers and pairs, which other draws use."""


def build_random_network(like: Network, *, seed: int = 0) -> Network:
    """Builds a random network G(n, p) with the papers and the density of another (Gilbert 1959).

    Each of the n (n - 1) / 2 pairs is an edge with probability p = 2E / (n (n - 1)), independently
    of the others; so the number of edges is E on average, not exactly. Its expected clustering
    coefficients are p. Gaps between edges are drawn, which are geometric (Batagelj and Brandes
    2005): time and memory are linear in papers and edges, not in pairs.

    The same seed and size give the same edges.

    Returns:
        A network whose weights are 1.
    """
    density = like.density
    empty = np.empty(0, np.int32)
    ends = _draw_edges(len(like), density, seed) if density else (empty, empty)
    return build_network(like.ids, ends, None, core=like.core)


@compiled
def _draw_edges(
    size: int, density: float, seed: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Edges (lower, higher), in the order of the higher end, then the lower."""
    total = size * (size - 1) / 2
    room = int(total * density + 6 * np.sqrt(total * density)) + 64
    lower, higher = np.empty(room, np.int32), np.empty(room, np.int32)
    scale, used = np.log1p(-density) if density < 1 else -np.inf, 0
    low, high = -1, 1  # the next pair is (low + 1, high)
    while True:
        share = (np.float64(draw(seed, _EDGES, used) >> np.uint64(11)) + 1.0) * 2.0**-53
        low += 1 + int(min(np.log(share) / scale, total))
        while high < size and low >= high:
            low -= high
            high += 1
        if high >= size:
            return lower[:used].copy(), higher[:used].copy()
        if used == room:
            room *= 2
            more, above = np.empty(room, np.int32), np.empty(room, np.int32)
            more[:used], above[:used] = lower, higher
            lower, higher = more, above
        lower[used], higher[used] = low, high
        used += 1
