"""Link prediction: edges held out of a graph, and at which rank a model finds them.

The rank of a held-out edge i -> j among candidates is 1 + those with a higher score + half of those
with the same: a model that gives one score to all gets the rank in the middle, not the first. It
is asked both for the target, given i, and for the source, given j.

- `filtered` leaves other known edges of the given end out of the candidates, `raw` keeps them.
- `all` takes every node as a candidate, `sampled` some drawn at random, the same for a block of
  edges: far easier, and comparable only for one number of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from citescape.encoders.graph_edges import Codes, Edges, Floats

PROTOCOLS = ("filtered-all", "raw-all", "filtered-sampled", "raw-sampled")
SIDES = ("target", "source")
MOST_HELD = 10_000
"""With so many a share is known to half a percent; each is compared with every node."""
_HELD, _SAMPLED = 3, 4  # what a generator is for, beside those of training
_BLOCK = 1 << 24
"""Scores in memory at one time."""
_QUERIES = 256
"""Edges that share sampled candidates."""


@dataclass(frozen=True)
class Split:
    """A graph without some of its edges, and these."""

    train: Edges
    held: Edges
    """May be none."""
    eligible: int
    """Edges that could have been held out."""


@dataclass(frozen=True)
class LinkFigures:
    """How well held-out edges are found by one protocol, on one side."""

    protocol: str
    """One of `PROTOCOLS`."""
    side: str
    """`target`: whom does i cite? `source`: who cites j?"""
    edges: int
    candidates: int
    """Before known edges are left out; for `sampled` those drawn."""
    mrr: float
    """Mean of 1 / rank."""
    hits_at_1: float
    """Share of ranks up to 1."""
    hits_at_10: float
    auc: float
    """Mean share of an edge's candidates with a lower score, equal ones counted half."""


def hold_out(edges: Edges, *, share: float, seed: int, most: int = MOST_HELD) -> Split:
    """Takes a share of the edges out, but no more than `most`, so that no end loses its last one.

    Each node keeps one of its outgoing and one of its incoming edges, drawn at random: without any
    it would have no vector to be found by. So fewer than asked may be held out, and edges of rarely
    cited papers are among them less often than others.
    """
    keys = np.random.default_rng([seed, _HELD]).permutation(len(edges))
    order = np.argsort(keys)
    kept = np.zeros(len(edges), np.bool_)
    for ends in (edges.sources, edges.targets):
        _, first = np.unique(ends[order], return_index=True)
        kept[order[first]] = True
    free = order[~kept[order]]
    held = np.zeros(len(edges), np.bool_)
    held[free[: min(round(share * len(edges)), most)]] = True
    return Split(edges.take(~held), edges.take(held), len(free))


def rank_edges(
    embedding: tuple[Floats, Floats],
    split: Split,
    *,
    protocol: str = "filtered-all",
    side: str = "target",
    comparator: str = "dot",
    sample: int = 1000,
    seed: int = 0,
) -> LinkFigures:
    """Figures of held-out edges.

    Args:
        embedding: vectors of sources and of targets, (nodes, d) each.
        split: the held-out edges, and the others, which `filtered` leaves out too.
        protocol: one of `PROTOCOLS`.
        side: one of `SIDES`.
        comparator: how a score is made of two vectors.
        sample: candidates of the sampled protocols.
        seed: draws them.
    """
    known, candidates = protocol.split("-")
    queries = _Queries.of(embedding, split, side=side, comparator=comparator)
    size = sample if candidates == "sampled" else None
    ranks, counts = compute_ranks(queries, filtered=known == "filtered", sample=size, seed=seed)
    shares = 1 - (ranks - 1) / np.maximum(counts - 1, 1)
    return LinkFigures(
        protocol=protocol,
        side=side,
        edges=len(ranks),
        candidates=size or split.train.nodes,
        mrr=float((1 / ranks).mean()),
        hits_at_1=float((ranks <= 1).mean()),
        hits_at_10=float((ranks <= 10).mean()),
        auc=float(shares.mean()),
    )


def evaluate(
    embedding: tuple[Floats, Floats], split: Split, *, comparator: str = "dot", seed: int = 0
) -> list[dict[str, object]]:
    """Figures of every protocol and side, as rows of a table; none where nothing is held out."""
    if not len(split.held):
        return []
    return [
        asdict(
            rank_edges(
                embedding, split, protocol=protocol, side=side, comparator=comparator, seed=seed
            )
        )
        for protocol in PROTOCOLS
        for side in SIDES
    ]


@dataclass(frozen=True)
class _Queries:
    """Held-out edges from one side: what is given, what is sought, what is known of the given."""

    given: Tensor
    """(nodes, d)"""
    sought: Tensor
    """(nodes, d)"""
    starts: Codes
    """(edges,) of the held-out edges."""
    ends: Codes
    indptr: npt.NDArray[np.int64]
    """(nodes + 1,): what node i is tied to, in either part of the graph."""
    known: Codes

    @classmethod
    def of(
        cls, embedding: tuple[Floats, Floats], split: Split, *, side: str, comparator: str
    ) -> _Queries:
        """The queries of one side."""
        tables = [torch.from_numpy(np.asarray(table, np.float32)) for table in embedding]
        if comparator == "cosine":
            tables = [torch.nn.functional.normalize(table, dim=1) for table in tables]
        parts = (split.train, split.held)
        ends = [
            np.concatenate([part.sources for part in parts]),
            np.concatenate([part.targets for part in parts]),
        ]
        held = [split.held.sources, split.held.targets]
        if side == "source":
            tables, ends, held = tables[::-1], ends[::-1], held[::-1]
        order = np.argsort(ends[0], kind="stable")
        counts = np.bincount(ends[0], minlength=split.train.nodes)
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return cls(tables[0], tables[1], held[0], held[1], indptr, ends[1][order])

    def blocks(self, size: int) -> Iterator[slice]:
        """The edges in blocks of `size`."""
        for first in range(0, len(self.starts), size):
            yield slice(first, first + size)


def compute_ranks(
    queries: _Queries, *, filtered: bool, sample: int | None, seed: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Rank of each held-out edge (edges,), and its number of candidates, itself among them."""
    nodes = len(queries.sought)
    block = _QUERIES if sample else max(1, _BLOCK // nodes)
    ranks, counts = [], []
    for number, rows in enumerate(queries.blocks(block)):
        chance = np.random.default_rng([seed, _SAMPLED, number])
        drawn = chance.choice(nodes, min(sample, nodes), replace=False) if sample else None
        found = _rank_block(queries, rows, candidates=drawn, filtered=filtered)
        ranks.append(found[0])
        counts.append(found[1])
    return np.concatenate(ranks), np.concatenate(counts)


def _rank_block(
    queries: _Queries, rows: slice, *, candidates: Codes | None, filtered: bool
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    starts, ends = queries.starts[rows].astype(np.int64), queries.ends[rows].astype(np.int64)
    drawn = np.arange(len(queries.sought)) if candidates is None else candidates
    nodes = drawn if candidates is None else np.union1d(drawn, ends)
    place = np.full(len(queries.sought), -1)
    place[nodes] = np.arange(len(nodes))
    # The sought edge is scored by the same product as the others: equal vectors, equal scores.
    scores = queries.given[torch.from_numpy(starts)] @ queries.sought[torch.from_numpy(nodes)].T
    lines = np.arange(len(ends))
    own = scores[torch.from_numpy(lines), torch.from_numpy(place[ends])]
    left = torch.zeros(scores.shape, dtype=torch.bool)
    left[:, torch.from_numpy(place[drawn])] = True
    _cross_out(left, lines, place[ends])
    if filtered:
        spans = queries.indptr[starts + 1] - queries.indptr[starts]
        within = np.arange(spans.sum()) - np.repeat(np.cumsum(spans) - spans, spans)
        known = queries.known[np.repeat(queries.indptr[starts], spans) + within]
        _cross_out(left, np.repeat(lines, spans), place[known])
        _cross_out(left, lines, place[starts])  # nothing is tied to itself
    higher = ((scores > own.unsqueeze(1)) & left).sum(1)
    equal = ((scores == own.unsqueeze(1)) & left).sum(1)
    return (1 + higher + equal / 2).double().numpy(), left.sum(1).numpy() + 1


def _cross_out(left: Tensor, lines: npt.NDArray[np.int64], places: npt.NDArray[np.int64]) -> None:
    """Takes candidates out of lines; place -1 is none of them."""
    there = places >= 0
    left[torch.from_numpy(lines[there]), torch.from_numpy(places[there])] = False
