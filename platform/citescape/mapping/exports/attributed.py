"""A network with what is known of its nodes and edges: what every format writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError
from citescape.mapping.exports.membership import Membership
from citescape.networks.kinds import KINDS
from citescape.networks.network import Floats, Mask, Network
from citescape.networks.normalise import prune

Rows = npt.NDArray[np.int64]
TITLES = {"paper": "title", "topic": "label"}
"""What a node is -> the column with its title."""
_RANKS = ("importance", "citations", "size")
"""Columns that tell which nodes are the largest, the first that there is."""


@dataclass(frozen=True)
class AttributedNetwork:
    """Papers, or topics, that are tied together; undirected."""

    network: Network
    nodes: pa.Table
    """A row a node, in the order of the network: id, title (of a topic: label), and more."""
    links: pa.Table
    """A row an edge, as in `Network.upper`; no columns where nothing is known of edges."""
    kind: str
    """What ties them: a key of `networks.kinds.KINDS`."""
    unit: str = "paper"
    """A key of `TITLES`."""
    memberships: tuple[Membership, ...] = ()
    """Communities that nodes are in, by level."""
    level: str = ""
    """The level that gives nodes their colour; empty for none."""
    about: Mapping[str, str] = field(default_factory=dict)
    """Where it comes from: runs by command, and the version of citescape."""
    notes: tuple[str, ...] = ()
    """What the user should know: what is left out, and why."""

    @property
    def membership(self) -> Membership | None:
        """The communities that give nodes their colour."""
        return next((one for one in self.memberships if one.level == self.level), None)

    @property
    def titles(self) -> pa.StringArray:
        """(nodes,) the title of each; the id of those without."""
        return pc.coalesce(self.nodes[TITLES[self.unit]].combine_chunks(), self.network.ids)

    @property
    def attributes(self) -> pa.Table:
        """(nodes, ...) what is known of nodes beside id and title."""
        return self.nodes.drop_columns(["id", TITLES[self.unit]])

    @property
    def sizes(self) -> Floats | None:
        """(nodes,) what tells which are the largest, 0 where it is not known; None if nothing."""
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
        """Whether edges are citations, and of each it is known which paper cites the other."""
        return self.of_citations and not self.uncited

    @property
    def uncited(self) -> int:
        """Number of edges that are no citations in the graph."""
        known = "citing" in self.links.column_names
        return int(self.links["citing"].null_count) if known else self.network.edges

    def edges(self) -> pa.Table:
        """Every edge once: source and target (rows of nodes, the lower first), weight, links."""
        source, target, weight = self.network.upper()
        ends = {"source": pa.array(source), "target": pa.array(target)}
        columns = {name: self.links[name] for name in self.links.column_names}
        return pa.table({**ends, "weight": pa.array(weight), **columns})

    def with_note(self, *notes: str) -> AttributedNetwork:
        """The same with more to be said."""
        return replace(self, notes=(*self.notes, *notes))


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
        largest: maximum number of nodes, by importance received, where that is not known by
            citations received; of topics without importance by papers. Ties go to the lower id.
            With `linked` the largest nodes that have an edge among them: nodes join in the order
            of their size, and count once they have an edge. 0: all.
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
    if 0 < largest < len(kept.network):
        kept = keep_nodes(kept, _largest(kept, largest, linked=linked, by_weight=by_weight))
    if linked:
        kept = keep_nodes(kept, kept.network.degrees > 0)
    return _with_edges(kept, prune(kept.network, top))


def keep_nodes(whole: AttributedNetwork, keep: Mask) -> AttributedNetwork:
    """The nodes for which `keep` (nodes,) is true, and the edges between them."""
    if keep.all():
        return whole
    rows, inner = np.flatnonzero(keep), whole.network.where(keep)
    one, other, _ = whole.network.upper()
    return replace(
        whole,
        network=inner,
        nodes=whole.nodes.take(pa.array(rows)),
        links=_rows_of(whole.links, np.flatnonzero(keep[one] & keep[other])),
        memberships=tuple(replace(level, labels=level.labels[rows]) for level in whole.memberships),
    )


def _with_edges(whole: AttributedNetwork, fewer: Network) -> AttributedNetwork:
    """The same nodes with some of the edges."""
    if fewer.edges == whole.network.edges:
        return whole
    rows = np.searchsorted(_keys(whole.network), _keys(fewer))
    return replace(whole, network=fewer, links=_rows_of(whole.links, rows))


def _keys(network: Network) -> Rows:
    one, other, _ = network.upper()
    keys: Rows = one.astype(np.int64) * len(network) + other
    return keys


def _rows_of(links: pa.Table, rows: Rows) -> pa.Table:
    return links.take(pa.array(rows)) if links.num_columns else links


def _largest(whole: AttributedNetwork, count: int, *, linked: bool, by_weight: bool) -> Mask:
    """(nodes,) true for the largest; see `select`. With `linked` every node has an edge."""
    nodes, network = len(whole.network), whole.network
    sizes = network.strengths if by_weight else whole.sizes
    chosen = np.argsort(-(np.zeros(nodes) if sizes is None else sizes), kind="stable")
    if linked:
        rank = np.empty(nodes, np.int64)
        rank[chosen] = np.arange(nodes)
        nearest = np.minimum.reduceat(rank[network.weights.indices], network.weights.indptr[:-1])
        # A node counts once its first neighbour is there. Of nodes that count from the same rank
        # on, the one of this rank, which the others are linked to, comes first.
        chosen = np.lexsort((-rank, np.maximum(rank, nearest)))
    keep = np.zeros(nodes, np.bool_)
    keep[chosen[:count]] = True
    return keep
