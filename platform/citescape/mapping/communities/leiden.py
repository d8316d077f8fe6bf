"""The Leiden algorithm (Traag, Waltman and van Eck 2019), by igraph or leidenalg."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.extras import require
from citescape.mapping.communities.clustering import Clustering, Labels, order_labels
from citescape.mapping.communities.config import ITERATIONS
from citescape.mapping.communities.quality import find_null_model
from citescape.networks.network import Floats, Network, take_upper

_GENERATOR = Lock()  # igraph has one source of randomness for the whole process


@dataclass(frozen=True)
class PreparedNetwork:
    """A network as an engine holds it: made once, clustered at many resolutions.

    Its nodes are papers that have edges, or communities of such papers that stay whole.
    """

    network: Network
    engine: str
    nodes: Labels
    """(papers,) the node of each; -1 for papers without edges, and for those outside the core that
    are in no community: they have no node."""
    weights: csr_array
    """(nodes, nodes) symmetric, nothing on the diagonal."""
    graph: Any
    """The igraph.Graph of `weights`."""
    edges: Floats
    """(edges,) weights in the order of the graph's edges."""

    def __len__(self) -> int:
        """Nodes."""
        return int(self.weights.shape[0])


@dataclass(frozen=True)
class _Task:
    """What an engine is to do, whatever the quality function and the nodes."""

    sizes: Floats
    """(nodes,)."""
    resolution: float
    """The null model's scale included."""
    seed: int
    iterations: int
    start: Labels | None
    """(nodes,)."""


def prepare(
    network: Network, *, engine: str = "igraph", within: Clustering | None = None
) -> PreparedNetwork:
    """Builds the engine's graph of a network.

    Args:
        network: with at least one paper.
        engine: a key of `ENGINES`.
        within: a clustering of the network whose communities become the nodes, so that what is
            found at this level holds them whole; None for papers.

    Raises:
        ConfigError: no such engine, or it is not installed; the network is empty.
    """
    if engine not in ENGINES:
        raise invalid_choice("engine", engine, ENGINES)
    require("igraph", engine)
    if not len(network):
        raise ConfigError(
            "the network has no papers; expected one at least: build another with "
            "`platform network build`"
        )
    nodes = _number(network, within)
    whole = within is None and bool((nodes >= 0).all())
    weights = network.weights if whole else _merge(network, nodes)
    graph, edges = _to_igraph(weights)
    return PreparedNetwork(network, engine, nodes, weights, graph, edges)


def find_communities(
    prepared: PreparedNetwork,
    resolution: float,
    *,
    quality: str = "cpm",
    seed: int = 0,
    iterations: int = ITERATIONS,
    start: Labels | None = None,
) -> Clustering:
    """The communities of a network at one resolution.

    The same network, settings and seed give the same labels, whatever else draws random numbers.
    Every community is connected: what a start left in two parts comes apart.

    Args:
        prepared: of `prepare`.
        resolution: positive; with CPM, the mean weight between papers, absent edges counting 0,
            that communities have more of inside, and less of between two of them.
        quality: a key of `quality.QUALITIES`; see `compute_quality`.
        seed: of all that is random.
        iterations: see `ITERATIONS`.
        start: (papers,) labels to begin with in place of every paper alone; -1 for papers alone.

    Raises:
        ConfigError: a setting has no meaning.
    """
    found = find_membership(
        prepared, resolution, quality=quality, seed=seed, iterations=iterations, start=start
    )
    return label_papers(prepared, found)


def find_membership(
    prepared: PreparedNetwork,
    resolution: float,
    *,
    quality: str = "cpm",
    seed: int = 0,
    iterations: int = ITERATIONS,
    start: Labels | None = None,
) -> Labels:
    """The same by node: (nodes,) numbers of communities, in the order of their first nodes."""
    _check(prepared, resolution, iterations, start=start)
    null = find_null_model(prepared.network, quality)
    if not len(prepared):
        return np.empty(0, np.int32)
    begin = None if start is None else _start(prepared, start)
    sizes = sum_by_node(prepared, null.sizes)
    task = _Task(sizes, resolution * null.scale, seed, iterations, begin)
    return split(prepared.weights, ENGINES[prepared.engine](prepared, task))


def label_papers(prepared: PreparedNetwork, membership: npt.NDArray[np.integer]) -> Clustering:
    """The clustering of papers that a clustering of nodes (nodes,) stands for.

    Papers of the core without a node are alone.
    """
    network, nodes = prepared.network, prepared.nodes
    papers = np.full(len(network), -1, np.int64)
    inside = nodes >= 0
    papers[inside] = membership[nodes[inside]]
    alone = ~inside & network.in_core
    papers[alone] = membership.max(initial=-1) + np.arange(1, int(alone.sum()) + 1)
    return order_labels(network.ids, papers, network.in_core)


def sum_by_node(prepared: PreparedNetwork, values: npt.NDArray[Any]) -> Floats:
    """(nodes,) sums of values by paper (papers,); papers of no node are left out."""
    inside = prepared.nodes >= 0
    nodes = prepared.nodes[inside]
    return np.bincount(nodes, values[inside], minlength=len(prepared)).astype(np.float64)


def scale_edges(prepared: PreparedNetwork, shares: Floats) -> PreparedNetwork:
    """The same nodes with each edge's weight times its share (edges,); those of 0 are no edges.

    What the weights are set against stays that of the network itself.
    """
    one, other, weights = take_upper(prepared.weights)
    kept = shares > 0
    ends = (one[kept], other[kept])
    upper = coo_array((weights[kept] * shares[kept], ends), shape=prepared.weights.shape)
    scaled = (upper + upper.T).tocsr()
    scaled.sort_indices()
    graph, edges = _to_igraph(scaled)
    return replace(prepared, weights=scaled, graph=graph, edges=edges)


def split(weights: csr_array, membership: npt.NDArray[np.integer]) -> Labels:
    """Communities in their connected parts; neither quality function can fall by it.

    (nodes,) numbers, in the order of first nodes.

    Args:
        weights: (nodes, nodes) symmetric.
        membership: (nodes,) equal for nodes that are together.
    """
    rows = np.repeat(np.arange(len(membership)), np.diff(weights.indptr))
    together = membership[rows] == membership[weights.indices]
    ends = (rows[together], weights.indices[together])
    within = coo_array((np.ones(len(ends[0]), np.int8), ends), shape=weights.shape)
    parts: Labels = connected_components(within, directed=False)[1].astype(np.int32)
    return parts


def _igraph(prepared: PreparedNetwork, task: _Task) -> Labels:
    import igraph

    start = None if task.start is None else task.start.tolist()
    with _GENERATOR:
        igraph.set_random_number_generator(random.Random(task.seed))
        try:
            found = prepared.graph.community_leiden(
                "CPM",
                weights=prepared.edges,
                resolution=task.resolution,
                node_weights=task.sizes,
                n_iterations=task.iterations,
                initial_membership=start,
            )
        finally:
            igraph.set_random_number_generator(random)  # as igraph is when it is imported
    return np.array(found.membership, np.int32)


def _leidenalg(prepared: PreparedNetwork, task: _Task) -> Labels:
    import leidenalg

    found = leidenalg.find_partition(
        prepared.graph,
        leidenalg.CPMVertexPartition,
        weights=prepared.edges.tolist(),
        node_sizes=task.sizes.tolist(),
        resolution_parameter=task.resolution,
        n_iterations=task.iterations,
        seed=task.seed,
        initial_membership=None if task.start is None else task.start.tolist(),
    )
    return np.array(found.membership, np.int32)


ENGINES: Mapping[str, Callable[[PreparedNetwork, _Task], Labels]] = {
    "igraph": _igraph,
    "leidenalg": _leidenalg,
}
"""Implementations of the algorithm; both read an igraph.Graph."""


def _to_igraph(weights: csr_array) -> tuple[Any, Floats]:
    """The graph, each edge once, and the weights of its edges."""
    import igraph

    one, other, values = take_upper(weights)
    return igraph.Graph(int(weights.shape[0]), edges=np.stack([one, other], axis=1)), values


def _number(network: Network, within: Clustering | None) -> Labels:
    """(papers,) nodes without gaps, in the order of labels, else of ids; -1 for papers of none."""
    linked = network.degrees > 0
    labels = np.arange(len(network)) if within is None else within.labels
    inside = linked & (labels >= 0)
    nodes = np.full(len(network), -1, np.int32)
    nodes[inside] = np.unique(labels[inside], return_inverse=True)[1]
    return nodes


def _merge(network: Network, nodes: Labels) -> csr_array:
    """(nodes, nodes) the weight between nodes, in each direction."""
    one = np.repeat(nodes, network.degrees)
    other = nodes[network.weights.indices]
    apart = (one != other) & (one >= 0) & (other >= 0)
    size = int(nodes.max(initial=-1)) + 1
    ends = (one[apart], other[apart])
    merged = coo_array((network.weights.data[apart], ends), shape=(size, size)).tocsr()
    merged.sort_indices()
    return merged


def _start(prepared: PreparedNetwork, labels: Labels) -> Labels:
    """(nodes,) labels without gaps; a node has that of its first paper."""
    first = np.full(len(prepared), len(labels))
    inside = np.flatnonzero(prepared.nodes >= 0)
    np.minimum.at(first, prepared.nodes[inside], inside)
    begun = labels[first].astype(np.int64)
    alone = begun < 0
    begun[alone] = begun.max(initial=-1) + np.arange(1, int(alone.sum()) + 1)
    codes: Labels = np.unique(begun, return_inverse=True)[1].astype(np.int32)
    return codes


def _check(
    prepared: PreparedNetwork, resolution: float, iterations: int, *, start: Labels | None
) -> None:
    if not (np.isfinite(resolution) and resolution > 0):
        raise ConfigError(f"resolution is {resolution}; expected a number above 0")
    if iterations == 0 or iterations < -1:
        raise ConfigError(
            f"iterations is {iterations}; expected 1 or more, or -1 to go on until nothing changes"
        )
    papers = len(prepared.network)
    if start is not None and start.shape != (papers,):
        raise ConfigError(
            f"a start of shape {start.shape} for a network of {papers} papers; expected a label "
            "for each of its papers"
        )
