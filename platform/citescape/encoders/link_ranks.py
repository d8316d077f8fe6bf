"""Ranks of held-out edges among all nodes or a sample, by tables that may be on disk.

Scores are computed in blocks. For each edge a block adds the number of scores that are higher than
that of the edge, and of those that are equal. Memory holds one block at a time, and a few numbers
per node and edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from citescape.encoders.graph_edges import Codes, Edges, Floats

KNOWN = ("filtered", "raw")
_SAMPLED = 4  # part of the seed: differs from training and from holding out
_EDGES, _COLUMNS = 2048, 8192
"""Held-out edges and candidates whose scores are in memory at one time."""
_SHARING = 256
"""Edges that share sampled candidates."""
_SHORTEST = 1e-12
"""Minimum length that a vector is divided by."""
Tally = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Ranks:
    """Ranks of held-out edges."""

    places: npt.NDArray[np.float64]
    """(edges,) 1 is the first."""
    candidates: npt.NDArray[np.int64]
    """(edges,) number of candidates, the edge itself included."""


@dataclass(frozen=True)
class NodeVectors:
    """A table of vectors, copied some rows at a time."""

    rows: Floats
    """(nodes, d)"""
    lengths: Floats | None = None
    """(nodes,) to divide by, for cosines."""

    @classmethod
    def from_table(cls, table: Floats, comparator: str) -> NodeVectors:
        """A table (nodes, d) for scores by `comparator`."""
        if comparator != "cosine":
            return cls(table)
        blocks = (table[first : first + _COLUMNS] for first in range(0, len(table), _COLUMNS))
        lengths = np.concatenate([np.linalg.norm(block, axis=1) for block in blocks])
        return cls(table, np.maximum(lengths, _SHORTEST).astype(np.float32))

    def __len__(self) -> int:
        return len(self.rows)

    def read(self, nodes: slice | Codes) -> Tensor:
        """Vectors (k, d) of some nodes."""
        vectors = np.asarray(self.rows[nodes], np.float32)
        if self.lengths is not None:
            vectors = vectors / self.lengths[nodes, np.newaxis]
        return torch.from_numpy(vectors)


@dataclass(frozen=True)
class LinkCandidates:
    """The nodes among which an edge's end is ranked."""

    vectors: NodeVectors
    drawn: Codes | None
    """Ascending; None for all."""

    def __len__(self) -> int:
        return len(self.vectors) if self.drawn is None else len(self.drawn)

    def read(self, columns: slice) -> Tensor:
        """Vectors (k, d) of some candidates."""
        return self.vectors.read(columns if self.drawn is None else self.drawn[columns])

    def find_positions(self, nodes: Codes) -> Codes:
        """Positions of nodes among the candidates; -1 for other nodes."""
        if self.drawn is None:
            return nodes
        places = np.searchsorted(self.drawn, nodes)
        is_candidate = self.drawn[np.minimum(places, len(self) - 1)] == nodes
        return np.where(is_candidate, places, -1)


@dataclass(frozen=True)
class LinkQueries:
    """Held-out edges from one side: the given end, the sought end, known edges of the given end."""

    given: NodeVectors
    sought: NodeVectors
    starts: Codes
    """(edges,)"""
    ends: Codes
    """(edges,)"""
    indptr: npt.NDArray[np.int64]
    """(nodes + 1,): the known ends of node i are known[indptr[i] : indptr[i + 1]]."""
    known: Codes
    """Distinct ends of the edges of a node in both parts of the graph, and the node itself."""

    @classmethod
    def from_split(
        cls, vectors: tuple[NodeVectors, NodeVectors], *, train: Edges, held: Edges, side: str
    ) -> LinkQueries:
        """The queries of one side.

        Args:
            vectors: vectors of sources and of targets.
            train: edges that remain in the graph.
            held: held-out edges.
            side: sought end, `target` or `source`.
        """
        itself = np.arange(train.nodes)
        starts = np.concatenate([train.sources, held.sources, itself]).astype(np.int64)
        ends = np.concatenate([train.targets, held.targets, itself]).astype(np.int64)
        (given, sought), first, last = vectors, held.sources, held.targets
        if side == "source":
            given, sought, first, last, starts, ends = sought, given, last, first, ends, starts
        pairs = np.sort(starts * train.nodes + ends)
        starts, ends = np.divmod(pairs[np.diff(pairs, prepend=-1) > 0], train.nodes)
        indptr = np.searchsorted(starts, np.arange(train.nodes + 1))
        return cls(given, sought, first, last, indptr, ends)

    def blocks(self, size: int) -> Iterator[LinkQueries]:
        """The edges in blocks of `size`."""
        for first in range(0, len(self.starts), size):
            rows = slice(first, first + size)
            starts, ends = (codes[rows].astype(np.int64) for codes in (self.starts, self.ends))
            yield replace(self, starts=starts, ends=ends)

    def score(self, width: int) -> Tensor:
        """(edges,) scores of the edges, by products with `width` columns.

        The rounding of a product depends on its shape: with the shape of the candidates' products,
        equal vectors have equal scores.
        """
        given = self.given.read(self.starts)
        scores = []
        for first in range(0, len(self.ends), width):
            columns = self.sought.read(np.resize(self.ends[first : first + width], width))
            scores.append((given @ columns.T).diagonal(-first))
        return torch.cat(scores)

    def list_excluded(self) -> tuple[Codes, Codes]:
        """Edges and nodes (pairs,) that `filtered` excludes: all known ends of the given end.

        They include the sought end, which is counted separately, and the given end itself.
        """
        spans = self.indptr[self.starts + 1] - self.indptr[self.starts]
        within = np.arange(spans.sum()) - np.repeat(np.cumsum(spans) - spans, spans)
        lines = np.repeat(np.arange(len(spans)), spans)
        return lines, self.known[np.repeat(self.indptr[self.starts], spans) + within]


@dataclass(frozen=True)
class _Excluded:
    """Excluded candidates (pairs,), ascending by their position."""

    lines: Codes
    """Rows of the edges."""
    places: Codes
    """Positions among the candidates."""
    is_sought: npt.NDArray[np.bool_]
    """The candidate is the sought end, which `raw` excludes too."""
    edges: int

    @classmethod
    def from_queries(cls, queries: LinkQueries, candidates: LinkCandidates) -> _Excluded:
        """The excluded candidates of some edges."""
        lines, nodes = queries.list_excluded()
        is_sought, places = nodes == queries.ends[lines], candidates.find_positions(nodes)
        order = np.argsort(places, kind="stable")
        order = order[np.searchsorted(places[order], 0) :]  # without -1: not a candidate
        return cls(lines[order], places[order], is_sought[order], len(queries.ends))

    def subtract(self, counts: int | Tally, pairs: slice | Codes) -> Tally:
        """(2, edges): by `KNOWN`, counts (edges,) without some of the pairs."""
        lines = self.lines[pairs]
        return np.stack(
            [
                counts - np.bincount(excluded, minlength=self.edges)
                for excluded in (lines, lines[self.is_sought[pairs]])
            ]
        )


def compute_ranks(queries: LinkQueries, *, sample: int | None, seed: int) -> dict[str, Ranks]:
    """Ranks of held-out edges, by `KNOWN`.

    Args:
        queries: held-out edges from one side.
        sample: number of candidates; None for all nodes.
        seed: random seed of the candidates.
    """
    nodes, tallies = len(queries.sought), []
    for number, block in enumerate(queries.blocks(_SHARING if sample else _EDGES)):
        generator = np.random.default_rng([seed, _SAMPLED, number])
        drawn = np.sort(generator.choice(nodes, min(sample, nodes), False)) if sample else None
        tallies.append(_tally(block, LinkCandidates(queries.sought, drawn)))
    return {
        known: Ranks(1 + higher + equal / 2, candidates + 1)
        for known, (higher, equal, candidates) in zip(
            KNOWN, np.concatenate(tallies, axis=2), strict=True
        )
    }


def _tally(queries: LinkQueries, candidates: LinkCandidates) -> Tally:
    """(2, 3, edges): by `KNOWN`, number of candidates with a higher score, an equal one, and any.

    All candidates are counted first, then the excluded ones are subtracted. The last block overlaps
    the one before, so that all products have the same shape.
    """
    width = min(_COLUMNS, len(candidates))
    given, own = queries.given.read(queries.starts), queries.score(width).unsqueeze(1)
    excluded = _Excluded.from_queries(queries, candidates)
    counts = np.zeros((2, 3, len(own)), np.int64)
    counts[:, 2] = excluded.subtract(len(candidates), slice(None))
    for first in range(0, len(candidates), width):
        begin = min(first, len(candidates) - width)
        scores = given @ candidates.read(slice(begin, begin + width)).T  # (edges, width)
        new = scores[:, first - begin :]
        rows = np.arange(*np.searchsorted(excluded.places, [first, begin + width]))
        lines, columns = excluded.lines[rows], excluded.places[rows] - first
        for kind, matches in enumerate((new > own, new == own)):
            pairs = rows[matches.numpy()[lines, columns]]
            counts[:, kind] += excluded.subtract(matches.sum(1).numpy(), pairs)
    return counts
