"""The edges to train on: sorted, weighted, and cut into steps that depend on a seed alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError
from citescape.encoders.graph_config import GraphConfig

Codes = npt.NDArray[np.integer]
Floats = npt.NDArray[np.float32]
_ORDER, _NEGATIVES = 1, 2  # part of the seed, so that no two random generators draw the same


@dataclass(frozen=True)
class Edges:
    """Directed edges, ascending by source, then target."""

    sources: Codes
    """(edges,)"""
    targets: Codes
    """(edges,)"""
    weights: Floats
    """(edges,) above 0, of mean 1: an edge of weight 2 counts as two of weight 1."""
    nodes: int

    def __len__(self) -> int:
        return len(self.sources)

    def both_ways(self) -> Edges:
        """Each edge and its reverse: twice as many."""
        ends = np.concatenate([self.sources, self.targets])
        starts = np.concatenate([self.targets, self.sources])
        return make_edges(ends, starts, np.tile(self.weights, 2), nodes=self.nodes)

    def select_rows(self, rows: npt.NDArray[np.bool_]) -> Edges:
        """The edges of a mask, with unchanged weights."""
        return Edges(self.sources[rows], self.targets[rows], self.weights[rows], self.nodes)

    def fingerprint(self) -> str:
        """BLAKE2b hash of all fields, 16 digits."""
        digest = hashlib.blake2b(str(self.nodes).encode(), digest_size=8)
        for array in (self.sources, self.targets):
            digest.update(np.ascontiguousarray(array, np.int64).tobytes())
        digest.update(np.ascontiguousarray(self.weights).tobytes())
        return digest.hexdigest()


@dataclass(frozen=True)
class EdgeBatch:
    """The edges of one step, as k chunks of c edges, and u further negatives per chunk.

    The last chunk of an epoch is padded with edges of weight 0, which have no effect.
    """

    sources: npt.NDArray[np.int64]
    """(k, c)"""
    targets: npt.NDArray[np.int64]
    """(k, c)"""
    weights: Floats
    """(k, c)"""
    other_sources: npt.NDArray[np.int64]
    """(k, u) drawn from all nodes."""
    other_targets: npt.NDArray[np.int64]
    """(k, u)"""


def make_edges(
    sources: Codes, targets: Codes, weights: npt.NDArray[np.floating] | None = None, *, nodes: int
) -> Edges:
    """Edges from plain arrays, in any order.

    Args:
        sources: (edges,) codes from 0 below `nodes`.
        targets: (edges,) codes from 0 below `nodes`.
        weights: (edges,) above 0; only their ratios matter. All 1 by default.
        nodes: number of nodes; some may be without an edge.

    Raises:
        ConfigError: there are no edges, or the arrays are invalid.
    """
    given = np.ones(len(sources)) if weights is None else np.asarray(weights, np.float64)
    if not len(sources) == len(targets) == len(given):
        raise ConfigError(
            f"{len(sources)} sources, {len(targets)} targets, {len(given)} weights; "
            "expected equal numbers"
        )
    if not len(sources):
        raise ConfigError("no edges to learn from; expected one or more")
    least = min(int(sources.min()), int(targets.min()))
    if least < 0 or max(int(sources.max()), int(targets.max())) >= nodes:
        raise ConfigError(
            f"a code of an edge is outside 0..{nodes - 1}; expected codes of {nodes} nodes"
        )
    if not (np.isfinite(given).all() and given.min() > 0):
        raise ConfigError("a weight is not a number above 0; remove such edges")
    order = np.lexsort((given, targets, sources))
    scaled = (given[order] / given[order].mean()).astype(np.float32)
    dtype = np.int32 if nodes < 1 << 31 else np.int64
    return Edges(sources[order].astype(dtype), targets[order].astype(dtype), scaled, nodes)


def expect_draws(edges: Edges, config: GraphConfig) -> tuple[Floats, Floats]:
    """Logs (nodes,) of the expected number of times a chunk holds a node, as source and as target.

    log(chunk * its share of the edges' weights + uniform / nodes); 0 where the number is 0.
    """
    chunk = min(config.chunk, config.batch, len(edges))
    logs = []
    for ends in (edges.sources, edges.targets):
        inside = np.bincount(ends, edges.weights, minlength=edges.nodes) * (chunk / len(edges))
        expected = inside + config.uniform / edges.nodes
        logs.append(np.log(np.where(expected > 0, expected, 1)).astype(np.float32))
    return logs[0], logs[1]


def count_steps(edges: int, config: GraphConfig) -> int:
    """Steps of an epoch."""
    return -(-edges // config.batch)


def cut_epoch(
    edges: Edges, config: GraphConfig, epoch: int, *, first: int = 0
) -> Iterator[EdgeBatch]:
    """The steps of an epoch: each edge once, in random order.

    Order and negatives are functions of (seed, epoch, step): an epoch can begin at any step.

    Args:
        edges: edges to train on.
        config: seed, sizes of batches and chunks, number of negatives.
        epoch: number of the epoch, from 0.
        first: first step to return, from 0.
    """
    order = np.random.default_rng([config.seed, _ORDER, epoch]).permutation(len(edges))
    chunk = min(config.chunk, config.batch, len(edges))
    for step in range(first, count_steps(len(edges), config)):
        rows = order[step * config.batch : (step + 1) * config.batch]
        chunks = -(-len(rows) // chunk)
        generator = np.random.default_rng([config.seed, _NEGATIVES, epoch, step])
        others = generator.integers(0, edges.nodes, (2, chunks, config.uniform))
        filled = np.resize(rows, (chunks, chunk))
        weights = edges.weights[filled]
        weights.reshape(-1)[len(rows) :] = 0
        yield EdgeBatch(
            edges.sources[filled].astype(np.int64),
            edges.targets[filled].astype(np.int64),
            weights,
            others[0],
            others[1],
        )
