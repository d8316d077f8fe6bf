"""Link prediction: edges held out of a graph, and at which rank a model finds them.

The rank of a held-out edge i -> j among candidates is 1 + those with a higher score + half of those
with the same: a model that gives one score to all gets the rank in the middle, not the first. It
is asked both for the target, given i, and for the source, given j.

- `filtered` leaves other known edges of the given end out of the candidates, `raw` keeps them.
- `all` takes every node as a candidate, `sampled` some drawn at random, the same for a block of
  edges: far easier, and comparable only for one number of them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from citescape.encoders.graph_edges import Edges, Floats
from citescape.encoders.link_ranks import Queries, Ranks, Vectors, compute_ranks

PROTOCOLS = ("filtered-all", "raw-all", "filtered-sampled", "raw-sampled")
SIDES = ("target", "source")
MOST_HELD = 10_000
"""With so many a share is known to half a percent; each is compared with every node."""
_HELD = 3  # what a generator is for, beside those of training
_SAMPLE = 1000


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


def hold_out(
    edges: Edges, *, share: float, seed: int, most: int = MOST_HELD, undirected: bool = False
) -> Split:
    """Takes a share of the edges out, but no more than `most`, so that no end loses its last one.

    Each node keeps one of its outgoing and one of its incoming edges, drawn at random: without any
    it would have no vector to be found by. So fewer than asked may be held out, and edges of rarely
    cited papers are among them less often than others. For a graph to be embedded `undirected`
    edges whose reverse is there too are not held out: it would say them.
    """
    keys = np.random.default_rng([seed, _HELD]).permutation(len(edges))
    order = np.argsort(keys)
    kept = np.zeros(len(edges), np.bool_)
    for ends in (edges.sources, edges.targets):
        _, first = np.unique(ends[order], return_index=True)
        kept[order[first]] = True
    if undirected:
        kept |= _have_reverse(edges)
    free = order[~kept[order]]
    held = np.zeros(len(edges), np.bool_)
    held[free[: min(round(share * len(edges)), most)]] = True
    return Split(edges.take(~held), edges.take(held), len(free))


def _have_reverse(edges: Edges) -> npt.NDArray[np.bool_]:
    sources, targets = edges.sources.astype(np.int64), edges.targets.astype(np.int64)
    return np.isin(targets * edges.nodes + sources, sources * edges.nodes + targets)


def rank_edges(
    embedding: tuple[Floats, Floats],
    split: Split,
    *,
    protocol: str = "filtered-all",
    side: str = "target",
    comparator: str = "dot",
    sample: int = _SAMPLE,
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
    known, among = protocol.split("-")
    size = sample if among == "sampled" else None
    queries = Queries.of(
        _read(embedding, comparator), train=split.train, held=split.held, side=side
    )
    ranks = compute_ranks(queries, sample=size, seed=seed)[known]
    return _summarise(ranks, protocol, side=side, candidates=size or split.train.nodes)


def evaluate(
    embedding: tuple[Floats, Floats], split: Split, *, comparator: str = "dot", seed: int = 0
) -> list[dict[str, object]]:
    """Figures of every protocol and side, as rows of a table; none where nothing is held out."""
    if not len(split.held):
        return []
    vectors, found = _read(embedding, comparator), {}
    for side in SIDES:
        queries = Queries.of(vectors, train=split.train, held=split.held, side=side)
        for among, size in (("all", None), ("sampled", _SAMPLE)):
            for known, ranks in compute_ranks(queries, sample=size, seed=seed).items():
                protocol, candidates = f"{known}-{among}", size or split.train.nodes
                found[protocol, side] = _summarise(
                    ranks, protocol, side=side, candidates=candidates
                )
    return [asdict(found[protocol, side]) for protocol in PROTOCOLS for side in SIDES]


def _read(embedding: tuple[Floats, Floats], comparator: str) -> tuple[Vectors, Vectors]:
    sources, targets = (Vectors.of(table, comparator) for table in embedding)
    return sources, targets


def _summarise(ranks: Ranks, protocol: str, *, side: str, candidates: int) -> LinkFigures:
    places = ranks.places
    return LinkFigures(
        protocol=protocol,
        side=side,
        edges=len(places),
        candidates=candidates,
        mrr=float((1 / places).mean()),
        hits_at_1=float((places <= 1).mean()),
        hits_at_10=float((places <= 10).mean()),
        auc=float((1 - (places - 1) / np.maximum(ranks.candidates - 1, 1)).mean()),
    )
