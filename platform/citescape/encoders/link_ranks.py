"""Ranks of held-out edges among all nodes or a sample, by tables that may lie on disk.

Blocks of rows are multiplied and compared. A block adds to each edge the number of scores that are
higher than that of the edge, or equal. One block at a time is in memory, and a few numbers per node
and edge.
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
_SAMPLED = 4  # purpose of a random generator, beside those of training and of holding out
_EDGES, _COLUMNS = 2048, 8192
"""Held-out edges and candidates whose scores are in memory at one time."""
_SHARING = 256
"""Edges that share sampled candidates."""
_SHORTEST = 1e-12
"""Least length that a vector is divided by."""
Tally = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Ranks:
    """Ranks of held-out edges."""

    places: npt.NDArray[np.float64]
    """(edges,) 1 is the first."""
    candidates: npt.NDArray[np.int64]
    """(edges,) number of candidates, the edge itself included."""


@dataclass(frozen=True)
class Vectors:
    """A table of vectors, copied some rows at a time."""

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
    """The nodes among which an edge's end is ranked."""

    vectors: Vectors
    drawn: Codes | None
    """Ascending; None for all."""

    def __len__(self) -> int:
        return len(self.vectors) if self.drawn is None else len(self.drawn)

    def take(self, columns: slice) -> Tensor:
        """(k, d) of some candidates."""
        return self.vectors.take(columns if self.drawn is None else self.drawn[columns])

    def place(self, nodes: Codes) -> Codes:
        """Positions of nodes among the candidates; -1 for other nodes."""
        if self.drawn is None:
            return nodes
        places = np.searchsorted(self.drawn, nodes)
        there = self.drawn[np.minimum(places, len(self) - 1)] == nodes
        return np.where(there, places, -1)


@dataclass(frozen=True)
class Queries:
    """Held-out edges from one side: the given end, the sought end, known edges of the given end."""

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
        (given, sought), first, last = vectors, held.sources, held.targets
        if side == "source":
            given, sought, first, last, starts, ends = sought, given, last, first, ends, starts
        pairs = np.sort(starts * train.nodes + ends)
        starts, ends = np.divmod(pairs[np.diff(pairs, prepend=-1) > 0], train.nodes)
        indptr = np.searchsorted(starts, np.arange(train.nodes + 1))
        return cls(given, sought, first, last, indptr, ends)

    def blocks(self, size: int) -> Iterator[Queries]:
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
        given = self.given.take(self.starts)
        found = []
        for first in range(0, len(self.ends), width):
            columns = self.sought.take(np.resize(self.ends[first : first + width], width))
            found.append((given @ columns.T).diagonal(-first))
        return torch.cat(found)

    def left_out(self) -> tuple[Codes, Codes]:
        """Edges and nodes (pairs,) that `filtered` excludes: all ties of the given end.

        The sought end is one of them, and so is the given end: no node is tied to itself.
        """
        spans = self.indptr[self.starts + 1] - self.indptr[self.starts]
        within = np.arange(spans.sum()) - np.repeat(np.cumsum(spans) - spans, spans)
        lines = np.repeat(np.arange(len(spans)), spans)
        return lines, self.known[np.repeat(self.indptr[self.starts], spans) + within]


@dataclass(frozen=True)
class _LeftOut:
    """Excluded candidates (pairs,), ascending by their place."""

    lines: Codes
    """Rows of the edges."""
    places: Codes
    itself: npt.NDArray[np.bool_]
    """It is the sought end, which `raw` excludes too."""
    edges: int

    @classmethod
    def of(cls, queries: Queries, candidates: Candidates) -> _LeftOut:
        """The excluded candidates of some edges."""
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

    They are counted among all candidates, minus the excluded ones. The last block overlaps the one
    before, so that all products have one shape.
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
