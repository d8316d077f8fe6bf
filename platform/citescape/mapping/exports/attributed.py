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
_SIZE_COLUMNS = ("importance", "citations", "size")
"""Columns with sizes of nodes; the first existing column is used."""


@dataclass(frozen=True)
class AttributedNetwork:
    """An undirected network of papers or topics with its attributes."""

    network: Network
    nodes: pa.Table
    """One row per node, in the order of the network: id, title (topics: label), attributes."""
    links: pa.Table
    """One row per edge, in the order of `Network.upper`; no columns if edges have no attributes."""
    kind: str
    """Kind of the edges: a key of `networks.kinds.KINDS`."""
    unit: str = "paper"
    """A key of `TITLES`."""
    memberships: tuple[Membership, ...] = ()
    """Communities of nodes, by level."""
    level: str = ""
    """Level whose communities colour nodes, or empty."""
    about: Mapping[str, str] = field(default_factory=dict)
    """Sources: runs by command, and the version of citescape."""
    notes: tuple[str, ...] = ()
    """Notes for the user on missing values and limits of the format."""

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
        """(nodes, ...) attributes of nodes: all columns except id and title."""
        return self.nodes.drop_columns(["id", TITLES[self.unit]])

    @property
    def sizes(self) -> Floats | None:
        """(nodes,) values of the first column of `_SIZE_COLUMNS`, 0 if missing; else None."""
        ranked = next((name for name in _SIZE_COLUMNS if name in self.nodes.column_names), None)
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
        """Each edge once: source and target (rows of nodes, the lower first), weight, links."""
        source, target, weight = self.network.upper()
        ends = {"source": pa.array(source), "target": pa.array(target)}
        columns = {name: self.links[name] for name in self.links.column_names}
        return pa.table({**ends, "weight": pa.array(weight), **columns})

    def with_note(self, *notes: str) -> AttributedNetwork:
        """The same network with more notes."""
        return replace(self, notes=(*self.notes, *notes))


FileWriter: TypeAlias = Callable[[AttributedNetwork, BinaryIO], None]
"""Writes one file of a format."""


def select(
    content: AttributedNetwork,
    *,
    largest: int = 0,
    min_weight: float = 0.0,
    top: int = 0,
    linked: bool = False,
    by_weight: bool = False,
) -> AttributedNetwork:
    """Selects the largest nodes of a network and its strongest edges.

    Edges of low weight are removed first, then nodes, then all but the strongest edges of each node
    (see `networks.normalise.prune`).

    Args:
        content: the network.
        largest: maximum number of nodes, by importance received, else by citations received, else
            (topics) by papers; ties: the lower id. With `linked`, nodes are added in the
            order of size and count once they have an edge. 0 keeps all.
        min_weight: minimum weight of edges.
        top: number of strongest edges kept per node; an edge is kept if either end keeps it. 0
            keeps all.
        linked: keep only nodes with edges.
        by_weight: sizes are sums of the weights of edges.

    Raises:
        ConfigError: a number is below 0.
    """
    if largest < 0 or not min_weight >= 0:
        raise ConfigError(
            f"largest is {largest} and min_weight {min_weight}; expected 0 for all, or more"
        )
    weights = content.network.weights.copy()
    weights.data[weights.data < min_weight] = 0
    weights.eliminate_zeros()
    kept = _with_edges(content, replace(content.network, weights=weights))
    if linked:
        kept = keep_nodes(kept, kept.network.degrees > 0)
    nodes = len(kept.network)
    if 0 < largest < nodes:
        sizes = kept.network.strengths if by_weight else kept.sizes
        chosen = np.argsort(-(np.zeros(nodes) if sizes is None else sizes), kind="stable")
        if linked:
            # A node is chosen at its own rank or at that of its first neighbour, whichever is
            # later. Of the nodes chosen at one rank, the node of that rank comes first: the others
            # are linked to it.
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


def keep_nodes(content: AttributedNetwork, keep: Mask) -> AttributedNetwork:
    """The subnetwork of nodes for which `keep` (nodes,) is true."""
    if keep.all():
        return content
    rows, inner = np.flatnonzero(keep), content.network.where(keep)
    source, target, _ = content.network.upper()
    return replace(
        content,
        network=inner,
        nodes=content.nodes.take(pa.array(rows)),
        links=_select_rows(content.links, np.flatnonzero(keep[source] & keep[target])),
        memberships=tuple(
            replace(level, labels=level.labels[rows]) for level in content.memberships
        ),
    )


def _with_edges(content: AttributedNetwork, pruned: Network) -> AttributedNetwork:
    """The same nodes with the edges of `pruned`, which are some of its edges."""
    if pruned.edges == content.network.edges:
        return content
    keys = []
    for network in (content.network, pruned):
        source, target, _ = network.upper()
        keys.append(source.astype(np.int64) * len(network) + target)
    rows = np.searchsorted(keys[0], keys[1])
    return replace(content, network=pruned, links=_select_rows(content.links, rows))


def _select_rows(links: pa.Table, rows: npt.NDArray[np.integer]) -> pa.Table:
    return links.take(pa.array(rows)) if links.num_columns else links
