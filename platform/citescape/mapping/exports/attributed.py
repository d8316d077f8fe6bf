"""A network with attributes of its nodes and edges: the content of every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import BinaryIO, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.mapping.exports.membership import Membership
from citescape.networks.kinds import KINDS
from citescape.networks.network import Floats, Mask, Network
from citescape.networks.normalise import prune

TITLES = {"paper": "title", "topic": "label"}
"""Unit of a node -> the column with its title."""
_RANKS = ("importance", "citations", "size")
"""Columns that give the sizes of nodes; the first one that exists is used."""


@dataclass(frozen=True)
class AttributedNetwork:
    """An undirected network of papers or topics with its attributes."""

    network: Network
    nodes: pa.Table
    """One row per node, in the order of the network: id, title (of a topic: label), attributes."""
    links: pa.Table
    """One row per edge, as in `Network.upper`; without columns if edges have no attributes."""
    kind: str
    """Kind of the edges: a key of `networks.kinds.KINDS`."""
    unit: str = "paper"
    """A key of `TITLES`."""
    memberships: tuple[Membership, ...] = ()
    """Communities of nodes, by level."""
    level: str = ""
    """Level whose communities colour nodes; empty for none."""
    about: Mapping[str, str] = field(default_factory=dict)
    """Sources: runs by command, and the version of citescape."""
    notes: tuple[str, ...] = ()
    """Notes for the user: what is left out, and why."""

    @property
    def membership(self) -> Membership | None:
        """The communities that colour nodes."""
        return next((m for m in self.memberships if m.level == self.level), None)

    @property
    def titles(self) -> pa.StringArray:
        """(nodes,) titles; the id of nodes without a title."""
        return pc.coalesce(self.nodes[TITLES[self.unit]].combine_chunks(), self.network.ids)

    @property
    def attributes(self) -> pa.Table:
        """(nodes, ...) attributes of nodes: all columns but id and title."""
        return self.nodes.drop_columns(["id", TITLES[self.unit]])

    @property
    def sizes(self) -> Floats | None:
        """(nodes,) sizes by the first existing column of `_RANKS`, 0 if missing; else None."""
        ranked = next((name for name in _RANKS if name in self.nodes.column_names), None)
        if ranked is None:
            return None
        values: Floats = pc.fill_null(self.nodes[ranked].cast(pa.float64()), 0.0).to_numpy()
        return values

    @property
    def of_citations(self) -> bool:
        """Whether it is a network of papers whose edges are citations."""
        return self.unit == "paper" and self.kind in KINDS and KINDS[self.kind].cites

    @property
    def directed(self) -> bool:
        """Whether every edge is a citation with a known direction."""
        return self.of_citations and not self.uncited

    @property
    def uncited(self) -> int:
        """Number of edges that are not citations in the graph."""
        known = "citing" in self.links.column_names
        return int(self.links["citing"].null_count) if known else self.network.edges

    def edges(self) -> pa.Table:
        """Every edge once: source and target (rows of nodes, the lower first), weight, links."""
        source, target, weight = self.network.upper()
        ends = {"source": pa.array(source), "target": pa.array(target)}
        columns = {name: self.links[name] for name in self.links.column_names}
        return pa.table({**ends, "weight": pa.array(weight), **columns})

    def with_note(self, *notes: str) -> AttributedNetwork:
        """The same network with more notes."""
        return replace(self, notes=(*self.notes, *notes))


Part: TypeAlias = Callable[[AttributedNetwork, BinaryIO], None]
"""Writes one file of a format."""


def select(
    whole: AttributedNetwork,
    *,
    largest: int = 0,
    min_weight: float = 0.0,
    top: int = 0,
    linked: bool = False,
    by_weight: bool = False,
) -> AttributedNetwork:
    """The largest nodes of a network and its strongest edges.

    Edges that weigh too little are left out first, then nodes, then all but the strongest edges of
    each node (see `networks.normalise.prune`).

    Args:
        whole: the network.
        largest: maximum number of nodes, by importance received, else by citations received; of
            topics without importance by papers. Ties go to the lower id. With `linked` the largest
            nodes that have an edge among them: nodes join in the order of their size, and count
            once they have an edge. 0: all.
        min_weight: edges that weigh less are left out.
        top: strongest edges kept for each node; an edge stays if either end keeps it. 0: all.
        linked: only nodes that have an edge.
        by_weight: the largest nodes are those with the highest sum of the weights of their edges.

    Raises:
        ConfigError: a number below 0.
    """
    if largest < 0 or not min_weight >= 0:
        raise ConfigError(
            f"largest is {largest} and min_weight {min_weight}; expected 0 for all, or more"
        )
    weights = whole.network.weights.copy()
    weights.data[weights.data < min_weight] = 0
    weights.eliminate_zeros()
    kept = _with_edges(whole, replace(whole.network, weights=weights))
    if linked:
        kept = keep_nodes(kept, kept.network.degrees > 0)
    nodes = len(kept.network)
    if 0 < largest < nodes:
        sizes = kept.network.strengths if by_weight else kept.sizes
        chosen = np.argsort(-(np.zeros(nodes) if sizes is None else sizes), kind="stable")
        if linked:
            # A node counts once its first neighbour has joined. Among nodes that count from the
            # same rank on, the node of this rank, to which the others are linked, comes first.
            rank, links = np.empty(nodes, np.int64), kept.network.weights
            rank[chosen] = np.arange(nodes)
            nearest = np.minimum.reduceat(rank[links.indices], links.indptr[:-1])
            chosen = np.lexsort((-rank, np.maximum(rank, nearest)))
        is_large = np.zeros(nodes, np.bool_)
        is_large[chosen[:largest]] = True
        kept = keep_nodes(kept, is_large)
    if linked:
        kept = keep_nodes(kept, kept.network.degrees > 0)
    return _with_edges(kept, prune(kept.network, top))


def keep_nodes(whole: AttributedNetwork, keep: Mask) -> AttributedNetwork:
    """The nodes for which `keep` (nodes,) is true, and the edges between them."""
    if keep.all():
        return whole
    rows, inner = np.flatnonzero(keep), whole.network.where(keep)
    source, target, _ = whole.network.upper()
    return replace(
        whole,
        network=inner,
        nodes=whole.nodes.take(pa.array(rows)),
        links=_take(whole.links, np.flatnonzero(keep[source] & keep[target])),
        memberships=tuple(replace(level, labels=level.labels[rows]) for level in whole.memberships),
    )


def _with_edges(whole: AttributedNetwork, fewer: Network) -> AttributedNetwork:
    """The same nodes with some of the edges."""
    if fewer.edges == whole.network.edges:
        return whole
    keys = []
    for network in (whole.network, fewer):
        source, target, _ = network.upper()
        keys.append(source.astype(np.int64) * len(network) + target)
    rows = np.searchsorted(keys[0], keys[1])
    return replace(whole, network=fewer, links=_take(whole.links, rows))


def _take(links: pa.Table, rows: npt.NDArray[np.integer]) -> pa.Table:
    return links.take(pa.array(rows)) if links.num_columns else links
