"""Ranks of held-out edges among all nodes, or some, by tables that may lie on disk.

Blocks of their rows are multiplied and compared, and of a block nothing is kept but how many scores
in it are higher than that of the edge, or the same. In memory are one block at a time, and some
numbers for each node and edge.
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
_SAMPLED = 4  # what a generator is for, beside those of training and of holding out
_EDGES, _COLUMNS = 2048, 8192
"""Held-out edges and candidates whose scores are in memory at one time."""
_SHARING = 256
"""Edges that share sampled candidates."""
_SHORTEST = 1e-12
"""Least length that a vector is divided by."""
Tally = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Ranks:
    """Where held-out edges come."""

    places: npt.NDArray[np.float64]
    """(edges,) 1 is the first."""
    candidates: npt.NDArray[np.int64]
    """(edges,) how many there were, the edge itself among them."""


@dataclass(frozen=True)
class Vectors:
    """A table, of which only some rows are copied at a time."""

    rows: Floats
    """(nodes, d)"""
    lengths: Floats | None = None
    """(nodes,) to divide by, for cosines."""

    @classmethod
    def of(cls, table: Floats, comparator: str) -> Vectors:
        """A table for scores of `comparator`."""
        if comparator != "cosine":
            return cls(table)
        blocks = (table[first : first + _COLUMNS] for first in range(0, len(table), _COLUMNS))
        lengths = np.concatenate([np.linalg.norm(block, axis=1) for block in blocks])
        return cls(table, np.maximum(lengths, _SHORTEST).astype(np.float32))

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, nodes: slice | Codes) -> Tensor:
        """(k, d) of some nodes."""
        found = np.asarray(self.rows[nodes], np.float32)
        if self.lengths is not None:
            found = found / self.lengths[nodes, np.newaxis]
        return torch.from_numpy(found)


@dataclass(frozen=True)
class Candidates:
    """The nodes that an edge's end is sought among."""

    vectors: Vectors
    drawn: Codes | None
    """Ascending; None for all."""

    def __len__(self) -> int:
        return len(self.vectors) if self.drawn is None else len(self.drawn)

    def take(self, columns: slice) -> Tensor:
        """(k, d) of some candidates."""
        return self.vectors.take(columns if self.drawn is None else self.drawn[columns])

    def place(self, nodes: Codes) -> Codes:
        """Which candidates nodes are; -1 for none."""
        if self.drawn is None:
            return nodes
        places = np.searchsorted(self.drawn, nodes)
        there = self.drawn[np.minimum(places, len(self) - 1)] == nodes
        return np.where(there, places, -1)


@dataclass(frozen=True)
class Queries:
    """Held-out edges from one side: what is given, what is sought, what is known of the given."""

    given: Vectors
    sought: Vectors
    starts: Codes
    """(edges,)"""
    ends: Codes
    """(edges,)"""
    indptr: npt.NDArray[np.int64]
    """(nodes + 1,): where the ties of node i are."""
    known: Codes
    """(ties,) what it is tied to in either part of the graph, each once, and itself."""

    @classmethod
    def of(
        cls, vectors: tuple[Vectors, Vectors], *, train: Edges, held: Edges, side: str
    ) -> Queries:
        """The queries of one side."""
        itself = np.arange(train.nodes)
        starts = np.concatenate([train.sources, held.sources, itself]).astype(np.int64)
        ends = np.concatenate([train.targets, held.targets, itself]).astype(np.int64)
        given, sought, asked, found = *vectors, held.sources, held.targets
        if side == "source":
            given, sought, asked, found, starts, ends = sought, given, found, asked, ends, starts
        pairs = np.sort(starts * train.nodes + ends)
        starts, ends = np.divmod(pairs[np.diff(pairs, prepend=-1) > 0], train.nodes)
        indptr = np.searchsorted(starts, np.arange(train.nodes + 1))
        return cls(given, sought, asked, found, indptr, ends)

    def blocks(self, size: int) -> Iterator[Queries]:
        """The edges in blocks of `size`."""
        for first in range(0, len(self.starts), size):
            rows = slice(first, first + size)
            starts, ends = (codes[rows].astype(np.int64) for codes in (self.starts, self.ends))
            yield replace(self, starts=starts, ends=ends)

    def score(self, width: int) -> Tensor:
        """(edges,) scores of the edges, by products with `width` columns.

        What a product rounds depends on its shape: in one of the same shape as those of the
        candidates equal vectors have equal scores.
        """
        given = self.given.take(self.starts)
        found = []
        for first in range(0, len(self.ends), width):
            columns = self.sought.take(np.resize(self.ends[first : first + width], width))
            found.append((given @ columns.T).diagonal(-first))
        return torch.cat(found)

    def left_out(self) -> tuple[Codes, Codes]:
        """Edges and nodes (pairs,) that `filtered` takes for no candidates: ties of the given.

        The sought is one of them, and so is the given itself, since nothing is tied to itself.
        """
        spans = self.indptr[self.starts + 1] - self.indptr[self.starts]
        within = np.arange(spans.sum()) - np.repeat(np.cumsum(spans) - spans, spans)
        lines = np.repeat(np.arange(len(spans)), spans)
        return lines, self.known[np.repeat(self.indptr[self.starts], spans) + within]


@dataclass(frozen=True)
class _LeftOut:
    """Candidates that do not count (pairs,), ascending by their place."""

    lines: Codes
    """Of the edges."""
    places: Codes
    itself: npt.NDArray[np.bool_]
    """It is the sought, which `raw` leaves out too."""
    edges: int

    @classmethod
    def of(cls, queries: Queries, candidates: Candidates) -> _LeftOut:
        """What is left out for some edges."""
        lines, nodes = queries.left_out()
        itself, places = nodes == queries.ends[lines], candidates.place(nodes)
        order = np.argsort(places, kind="stable")
        order = order[np.searchsorted(places[order], 0) :]
        return cls(lines[order], places[order], itself[order], len(queries.ends))

    def less(self, whole: int | Tally, pairs: slice | Codes) -> Tally:
        """(2, edges): by `KNOWN`, a count without some of the pairs."""
        lines = self.lines[pairs]
        return np.stack(
            [
                whole - np.bincount(kept, minlength=self.edges)
                for kept in (lines, lines[self.itself[pairs]])
            ]
        )


def compute_ranks(queries: Queries, *, sample: int | None, seed: int) -> dict[str, Ranks]:
    """Ranks of held-out edges among `sample` candidates, or all, by `KNOWN`."""
    nodes, tallies = len(queries.sought), []
    for number, block in enumerate(queries.blocks(_SHARING if sample else _EDGES)):
        chance = np.random.default_rng([seed, _SAMPLED, number])
        drawn = np.sort(chance.choice(nodes, min(sample, nodes), False)) if sample else None
        tallies.append(_tally(block, Candidates(queries.sought, drawn)))
    whole = np.concatenate(tallies, axis=2)
    return {
        known: Ranks(1 + higher + equal / 2, candidates + 1)
        for known, (higher, equal, candidates) in zip(KNOWN, whole, strict=True)
    }


def _tally(queries: Queries, candidates: Candidates) -> Tally:
    """(2, 3, edges): by `KNOWN`, candidates with a higher score, with the same, and of any.

    They are counted among all, less those left out. The last block laps over the one before, so
    that all products have one shape.
    """
    width = min(_COLUMNS, len(candidates))
    given, own = queries.given.take(queries.starts), queries.score(width).unsqueeze(1)
    out = _LeftOut.of(queries, candidates)
    counts = np.zeros((2, 3, len(own)), np.int64)
    counts[:, 2] = out.less(len(candidates), slice(None))
    for first in range(0, len(candidates), width):
        begin = min(first, len(candidates) - width)
        scores = given @ candidates.take(slice(begin, begin + width)).T  # (edges, width)
        new = scores[:, first - begin :]
        rows = slice(*np.searchsorted(out.places, [first, begin + width]))
        for kind, which in enumerate((new > own, new == own)):
            off = which.numpy()[out.lines[rows], out.places[rows] - first]
            counts[:, kind] += out.less(which.sum(1).numpy(), np.arange(rows.start, rows.stop)[off])
    return counts
