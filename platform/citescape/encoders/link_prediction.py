"""Link prediction: edges held out of a graph, and their ranks in the list of a model.

The rank of a held-out edge i -> j among candidates is 1 + those with a higher score + half of those
with the same score: a model with equal scores gets the middle rank, not the first. Ranks are of the
target, given i, and of the source, given j.

- `filtered` excludes other known edges of the given end from the candidates, `raw` keeps them.
- With `all` every node is a candidate, with `sampled` some nodes drawn at random, the same for a
  block of edges: far easier, and comparable only for equal numbers of candidates.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from citescape.encoders.graph_edges import Edges, Floats
from citescape.encoders.link_ranks import LinkQueries, NodeVectors, compute_ranks

PROTOCOLS = ("filtered-all", "raw-all", "filtered-sampled", "raw-sampled")
SIDES = ("target", "source")
MOST_HELD = 10_000
"""Maximum number of held-out edges, for a precision of half a percent."""
_HELD = 3  # part of the seed: the random generator differs from those of training
SAMPLE = 1000
"""Candidates of the sampled protocols."""


@dataclass(frozen=True)
class Split:
    """A graph without the held-out edges, and the held-out edges."""

    train: Edges
    held: Edges
    eligible: int
    """Number of edges that could have been held out."""


@dataclass(frozen=True)
class LinkFigures:
    """Figures of held-out edges by one protocol, on one side."""

    protocol: str
    """One of `PROTOCOLS`."""
    side: str
    """`target`: which papers does i cite? `source`: which papers cite j?"""
    edges: int
    candidates: int
    """Before known edges are excluded; the sample size for `sampled`."""
    mrr: float
    """Mean of 1 / rank."""
    hits_at_1: float
    """Share of ranks up to 1."""
    hits_at_10: float
    auc: float
    """Mean share of an edge's candidates with a lower score; equal scores count half."""


def hold_out(
    edges: Edges, *, share: float, seed: int, most: int = MOST_HELD, undirected: bool = False
) -> Split:
    """Holds out a share of the edges.

    Each node keeps one of its outgoing and one of its incoming edges, drawn at random: without
    edges it would have no vector. So fewer edges may be held out, and edges of rarely cited papers
    less often than others.

    Args:
        edges: all edges.
        share: share to hold out, 0..1.
        seed: random seed.
        most: maximum number of held-out edges.
        undirected: keep edges whose reverse is in the graph: in an undirected embedding the reverse
            would leak them.
    """
    keys = np.random.default_rng([seed, _HELD]).permutation(len(edges))
    order = np.argsort(keys)
    kept = np.zeros(len(edges), np.bool_)
    for ends in (edges.sources, edges.targets):
        _, first = np.unique(ends[order], return_index=True)
        kept[order[first]] = True
    if undirected:
        sources, targets = edges.sources.astype(np.int64), edges.targets.astype(np.int64)
        kept |= np.isin(targets * edges.nodes + sources, sources * edges.nodes + targets)
    free = order[~kept[order]]
    held = np.zeros(len(edges), np.bool_)
    held[free[: min(round(share * len(edges)), most)]] = True
    return Split(edges.select_rows(~held), edges.select_rows(held), len(free))


def evaluate(
    embedding: tuple[Floats, Floats],
    split: Split,
    *,
    comparator: str = "dot",
    sample: int = SAMPLE,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """`LinkFigures` of every protocol and side, as rows of a table; none without held-out edges.

    Args:
        embedding: vectors of sources and of targets, (nodes, d) each.
        split: result of `hold_out`.
        comparator: `dot` or `cosine`.
        sample: number of candidates of the sampled protocols.
        seed: random seed of the samples.
    """
    if not len(split.held):
        return []
    sources, targets = (NodeVectors.from_table(table, comparator) for table in embedding)
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for side in SIDES:
        queries = LinkQueries.from_split(
            (sources, targets), train=split.train, held=split.held, side=side
        )
        for candidates, size in (("all", None), ("sampled", sample)):
            for known, ranks in compute_ranks(queries, sample=size, seed=seed).items():
                places, protocol = ranks.places, f"{known}-{candidates}"
                figures = LinkFigures(
                    protocol=protocol,
                    side=side,
                    edges=len(places),
                    candidates=size or split.train.nodes,
                    mrr=float((1 / places).mean()),
                    hits_at_1=float((places <= 1).mean()),
                    hits_at_10=float((places <= 10).mean()),
                    auc=float((1 - (places - 1) / np.maximum(ranks.candidates - 1, 1)).mean()),
                )
                rows[protocol, side] = asdict(figures)
    return [rows[protocol, side] for protocol in PROTOCOLS for side in SIDES]
