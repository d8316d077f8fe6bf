"""Shortest paths between papers, in number of edges."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.core.blocks import run_blocks
from citescape.core.compiled import compiled
from citescape.core.draws import draw_below
from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.networks.network import Links, Network, read_links

Places = npt.NDArray[np.int64]
_BLOCK = 256
"""Pairs per block of a thread."""


@dataclass(frozen=True)
class PathLength:
    """The mean length of shortest paths between two papers."""

    mean: float
    """Mean in edges; weights are ignored."""
    standard_error: float | None
    """Standard deviation / sqrt(pairs) of the sample; 0 if all pairs were measured, None for a
    sample of one."""
    pairs: int
    """Number of measured pairs."""
    exact: bool
    """Whether all pairs were measured."""


def measure_path_length(
    network: Network,
    papers: Places,
    *,
    pairs: int = 10_000,
    seed: int = 0,
    progress: Progress = silent,
) -> PathLength | None:
    """Measures the mean length of shortest paths between connected papers.

    Pairs are drawn uniformly and independently; if the papers have at most `pairs` pairs, all are
    measured.

    Args:
        network: network whose weights are ignored.
        papers: positions of papers, such as those of the largest component.
        pairs: number of pairs to measure.
        seed: random seed of the pairs.
        progress: receives the number of pairs done.

    Returns:
        None for fewer than two papers.

    Raises:
        ConfigError: `pairs` is not positive; two of the papers are not connected.
    """
    if pairs < 1:
        raise ConfigError(f"pairs is {pairs}; expected 1 or more")
    size = len(papers)
    if size < 2:
        return None
    exact = size * (size - 1) // 2 <= pairs
    sources, targets = np.triu_indices(size, 1) if exact else _draw_pairs(size, pairs, seed)
    lengths = measure_distances(network, (papers[sources], papers[targets]), progress=progress)
    if (lengths < 0).any():
        raise ConfigError("path lengths need connected papers; found papers without a path")
    error = 0.0 if exact else None
    if not exact and len(lengths) > 1:
        error = float(lengths.std(ddof=1)) / math.sqrt(len(lengths))
    return PathLength(float(lengths.mean()), error, len(lengths), exact)


def measure_distances(
    network: Network,
    ends: tuple[Places, Places],
    *,
    threads: int = 0,
    progress: Progress = silent,
) -> npt.NDArray[np.int32]:
    """Measures the edges (pairs,) on a shortest path of each pair of papers, -1 without a path.

    Bidirectional breadth-first search; each step extends the side with fewer edges to follow.

    Args:
        network: network whose weights are ignored.
        ends: two arrays (pairs,) of positions of papers.
        threads: 0 for all usable cores; each holds 12 bytes per paper.
        progress: receives the number of pairs done.
    """
    links = read_links(network)
    sources, targets = (np.ascontiguousarray(end, np.int64) for end in ends)
    lengths = np.empty(len(sources), np.int32)

    def work(start: int) -> tuple[int, npt.NDArray[np.int32]]:
        part = slice(start, start + _BLOCK)
        return start, _distances(links, sources[part], targets[part])

    for start, distances in run_blocks(work, range(0, len(sources), _BLOCK), threads=threads):
        lengths[start : start + len(distances)] = distances
        progress(f"measured {start + len(distances):,} of {len(sources):,} shortest paths")
    return lengths


@compiled
def _draw_pairs(
    size: int, pairs: int, seed: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Draws pairs of two different numbers below `size`."""
    one, other = np.empty(pairs, np.int64), np.empty(pairs, np.int64)
    for pair in range(pairs):
        one[pair] = draw_below(size, seed, pair, 0)
        drawn = draw_below(size - 1, seed, pair, 1)
        other[pair] = drawn + 1 if drawn >= one[pair] else drawn
    return one, other


@compiled
def _distances(
    links: Links, one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]
) -> npt.NDArray[np.int32]:
    size = len(links.indptr) - 1
    seen, queues = np.zeros(size, np.int32), np.empty((2, size), np.int32)
    lengths = np.empty(len(one), np.int32)
    for pair in range(len(one)):
        lengths[pair] = _distance(links, one[pair], other[pair], seen, queues, 2 * pair + 1)
    return lengths


@compiled
def _distance(
    links: Links,
    one: int,
    other: int,
    seen: npt.NDArray[np.int32],
    queues: npt.NDArray[np.int32],
    mark: int,
) -> int:
    """In `seen`, `mark` and `mark` + 1 are papers reached from one end and from the other.

    If all papers within a of one end and b of the other are reached, and none from both, the
    distance is over a + b; so the first paper reached from both sides ends a path of a + b + 1.
    """
    if one == other:
        return 0
    queues[0, 0], queues[1, 0] = one, other
    seen[one], seen[other] = mark, mark + 1
    first, last, ahead = np.zeros(2, np.int64), np.ones(2, np.int64), np.zeros(2, np.int64)
    ahead[0] = links.indptr[one + 1] - links.indptr[one]
    ahead[1] = links.indptr[other + 1] - links.indptr[other]
    length = 0
    while first[0] < last[0] and first[1] < last[1]:
        side = 0 if ahead[0] <= ahead[1] else 1
        start, end = first[side], last[side]
        first[side], ahead[side] = end, 0
        length += 1
        for at in range(start, end):
            paper = queues[side, at]
            for link in range(links.indptr[paper], links.indptr[paper + 1]):
                near = links.neighbours[link]
                if seen[near] == mark + 1 - side:
                    return length
                if seen[near] != mark + side:
                    seen[near] = mark + side
                    queues[side, last[side]] = near
                    last[side] += 1
                    ahead[side] += links.indptr[near + 1] - links.indptr[near]
    return -1
