"""The Leiden algorithm (Traag, Waltman and van Eck 2019), by igraph or leidenalg."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from citescape.core.errors import ConfigError, invalid_choice
from citescape.core.extras import require
from citescape.mapping.communities.clustering import Clustering, Labels, order_labels
from citescape.mapping.communities.config import ITERATIONS, Engine
from citescape.mapping.communities.quality import find_null_model
from citescape.networks.network import Floats, Network, take_upper

ENGINES = get_args(Engine)
"""Implementations of the algorithm; both read an igraph.Graph."""
_GENERATOR = Lock()  # igraph has one source of randomness for the whole process


@dataclass(frozen=True)
class PreparedNetwork:
    """A network in the form of an engine: built once, clustered at many resolutions.

    Its nodes are papers with edges, or communities of such papers that stay whole.
    """

    network: Network
    engine: str
    nodes: Labels
    """(papers,) the node of each; -1 for papers without a node: those without edges, and those
    outside the core that are in no community."""
    weights: csr_array
    """(nodes, nodes) symmetric, nothing on the diagonal."""
    graph: Any
    """The igraph.Graph of `weights`."""
    edges: Floats
    """(edges,) weights in the order of the graph's edges."""

    def __len__(self) -> int:
        """Nodes."""
        return int(self.weights.shape[0])


def prepare(
    network: Network, *, engine: str = "igraph", within: Clustering | None = None
) -> PreparedNetwork:
    """Builds the engine's graph of a network.

    Args:
        network: with at least one paper.
        engine: one of `ENGINES`.
        within: a clustering of the network whose communities become the nodes, so that they stay
            whole; None for papers.

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

    # Nodes without gaps, in the order of labels, else of ids.
    labels = np.arange(len(network)) if within is None else within.labels
    inside = (network.degrees > 0) & (labels >= 0)
    nodes = np.full(len(network), -1, np.int32)
    nodes[inside] = np.unique(labels[inside], return_inverse=True)[1]

    whole = within is None and bool(inside.all())
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

    The same network, settings and seed give the same labels, independently of other draws of random
    numbers. Every community is connected; a disconnected community of a start is split.

    Args:
        prepared: of `prepare`.
        resolution: positive; with CPM, the mean weight between two papers, absent edges counting 0,
            is above it within communities and below it between them.
        quality: one of `quality.QUALITIES`; see `compute_quality`.
        seed: random seed.
        iterations: see `ITERATIONS`.
        start: (papers,) initial labels, -1 for papers alone; None: every paper alone.

    Raises:
        ConfigError: a setting is invalid.
    """
    membership = find_membership(
        prepared, resolution, quality=quality, seed=seed, iterations=iterations, start=start
    )
    return label_papers(prepared, membership)


def find_membership(
    prepared: PreparedNetwork,
    resolution: float,
    *,
    quality: str = "cpm",
    seed: int = 0,
    iterations: int = ITERATIONS,
    start: Labels | None = None,
) -> Labels:
    """(nodes,) numbers of communities, in the order of first nodes; see `find_communities`."""
    papers = len(prepared.network)
    if not (np.isfinite(resolution) and resolution > 0):
        raise ConfigError(f"resolution is {resolution}; expected a number above 0")
    if iterations == 0 or iterations < -1:
        raise ConfigError(
            f"iterations is {iterations}; expected 1 or more, or -1 to go on until nothing changes"
        )
    if start is not None and start.shape != (papers,):
        raise ConfigError(
            f"a start of shape {start.shape} for a network of {papers} papers; expected a label "
            "for each of its papers"
        )
    null = find_null_model(prepared.network, quality)
    if not len(prepared):
        return np.empty(0, np.int32)

    run = _run_igraph if prepared.engine == "igraph" else _run_leidenalg
    membership = run(
        prepared,
        sum_by_node(prepared, null.sizes),
        resolution * null.scale,
        seed=seed,
        iterations=iterations,
        initial=None if start is None else _number_start(prepared, start),
    )
    return split(prepared.weights, membership)


def _number_start(prepared: PreparedNetwork, start: Labels) -> list[int]:
    """(nodes,) initial labels without gaps; a node has the label of its first paper."""
    first = np.full(len(prepared), len(prepared.network))
    inside = np.flatnonzero(prepared.nodes >= 0)
    np.minimum.at(first, prepared.nodes[inside], inside)
    labels = start[first].astype(np.int64)
    alone = labels < 0
    labels[alone] = labels.max(initial=-1) + np.arange(1, int(alone.sum()) + 1)
    numbers: list[int] = np.unique(labels, return_inverse=True)[1].tolist()
    return numbers


def _run_igraph(
    prepared: PreparedNetwork,
    sizes: Floats,
    resolution: float,
    *,
    seed: int,
    iterations: int,
    initial: list[int] | None,
) -> Labels:
    import igraph

    with _GENERATOR:
        igraph.set_random_number_generator(random.Random(seed))
        try:
            partition = prepared.graph.community_leiden(
                "CPM",
                weights=prepared.edges,
                resolution=resolution,
                node_weights=sizes,
                n_iterations=iterations,
                initial_membership=initial,
            )
        finally:
            igraph.set_random_number_generator(random)  # the default of igraph
    return np.array(partition.membership, np.int32)


def _run_leidenalg(
    prepared: PreparedNetwork,
    sizes: Floats,
    resolution: float,
    *,
    seed: int,
    iterations: int,
    initial: list[int] | None,
) -> Labels:
    import leidenalg

    partition = leidenalg.find_partition(
        prepared.graph,
        leidenalg.CPMVertexPartition,
        weights=prepared.edges.tolist(),
        node_sizes=sizes.tolist(),
        resolution_parameter=resolution,
        n_iterations=iterations,
        seed=seed,
        initial_membership=initial,
    )
    return np.array(partition.membership, np.int32)


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
    """(nodes,) sums of values of papers (papers,); papers without a node are left out."""
    inside = prepared.nodes >= 0
    nodes = prepared.nodes[inside]
    return np.bincount(nodes, values[inside], minlength=len(prepared)).astype(np.float64)


def scale_edges(prepared: PreparedNetwork, shares: Floats) -> PreparedNetwork:
    """The same nodes with each edge's weight times its share (edges,); shares of 0 remove edges.

    The null model stays that of the network itself.
    """
    source, target, weights = take_upper(prepared.weights)
    kept = shares > 0
    ends = (source[kept], target[kept])
    upper = coo_array((weights[kept] * shares[kept], ends), shape=prepared.weights.shape)
    scaled = (upper + upper.T).tocsr()
    scaled.sort_indices()
    graph, edges = _to_igraph(scaled)
    return replace(prepared, weights=scaled, graph=graph, edges=edges)


def split(weights: csr_array, membership: npt.NDArray[np.integer]) -> Labels:
    """Splits communities into their connected parts, which lowers neither quality function.

    Returns (nodes,) numbers, in the order of first nodes.

    Weights (nodes, nodes) symmetric, membership (nodes,).
    """
    rows = np.repeat(np.arange(len(membership)), np.diff(weights.indptr))
    together = membership[rows] == membership[weights.indices]
    ends = (rows[together], weights.indices[together])
    within = coo_array((np.ones(len(ends[0]), np.int8), ends), shape=weights.shape)
    parts: Labels = connected_components(within, directed=False)[1].astype(np.int32)
    return parts


def _merge(network: Network, nodes: Labels) -> csr_array:
    """(nodes, nodes) the weight between nodes, in each direction; nodes (papers,)."""
    weights = network.weights
    source, target = np.repeat(nodes, network.degrees), nodes[weights.indices]
    kept = (source != target) & (source >= 0) & (target >= 0)
    size = int(nodes.max(initial=-1)) + 1
    ends = (source[kept], target[kept])
    merged = coo_array((weights.data[kept], ends), shape=(size, size)).tocsr()
    merged.sort_indices()
    return merged


def _to_igraph(weights: csr_array) -> tuple[Any, Floats]:
    """The graph, each edge once, and the weights of its edges."""
    import igraph

    source, target, values = take_upper(weights)
    return igraph.Graph(int(weights.shape[0]), edges=np.stack([source, target], axis=1)), values
