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
from citescape.networks.network import Floats, Network, select_upper

ENGINES = get_args(Engine)
"""Implementations of the algorithm; both read an igraph.Graph."""
_GENERATOR = Lock()  # igraph has one random generator per process


@dataclass(frozen=True)
class PreparedNetwork:
    """The graph of an engine, built once and clustered at many resolutions.

    Its nodes are papers with edges, or communities of such papers, which are not divided.
    """

    network: Network
    engine: str
    nodes: Labels
    """(papers,) node of each paper; -1 for papers without edges, and for papers outside the core
    that are in no community."""
    weights: csr_array
    """(nodes, nodes) symmetric, without a diagonal."""
    graph: Any
    """The igraph.Graph of `weights`."""
    edges: Floats
    """(edges,) weights in the order of the graph's edges."""

    def __len__(self) -> int:
        """Number of nodes."""
        return int(self.weights.shape[0])


def prepare(
    network: Network, *, engine: str = "igraph", within: Clustering | None = None
) -> PreparedNetwork:
    """Builds the engine's graph of a network.

    Args:
        network: a network with at least one paper.
        engine: one of `ENGINES`.
        within: a clustering of the network whose communities become the nodes and are not divided;
            None for papers as nodes.

    Raises:
        ConfigError: no such engine, or it is not installed; the network is empty.
    """
    if engine not in ENGINES:
        raise invalid_choice("engine", engine, ENGINES)
    require("igraph", engine)
    if not len(network):
        raise ConfigError(
            "the network has no papers; expected at least 1: build another with "
            "`platform network build`"
        )

    # Consecutive nodes, in the order of labels, else of ids.
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
    """Finds the communities of a network at one resolution.

    The same network, settings and seed give the same labels, independently of other random draws.
    Every community is connected; disconnected communities of `start` are split.

    Args:
        prepared: result of `prepare`.
        resolution: positive; with CPM, the mean weight between two papers, with 0 for missing
            edges, is above it within communities and below it between them.
        quality: one of `quality.QUALITIES`; see `compute_quality`.
        seed: random seed.
        iterations: number of passes, see `ITERATIONS`.
        start: (papers,) initial labels, -1 for singletons; None for singletons only.

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
    """Finds the communities (nodes,) of nodes, numbered by first node; see `find_communities`.

    Args:
        prepared: result of `prepare`.
        resolution: positive.
        quality: one of `quality.QUALITIES`.
        seed: random seed.
        iterations: number of passes.
        start: (papers,) initial labels, or None.
    """
    papers = len(prepared.network)
    if not (np.isfinite(resolution) and resolution > 0):
        raise ConfigError(f"resolution is {resolution}; expected a number above 0")
    if iterations == 0 or iterations < -1:
        raise ConfigError(
            f"iterations is {iterations}; expected 1 or more, or -1 to continue until nothing "
            "changes"
        )
    if start is not None and start.shape != (papers,):
        raise ConfigError(
            f"a start of shape {start.shape} for a network of {papers} papers; expected one "
            "label per paper"
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
    """Consecutive initial labels (nodes,); a node has the label of its first paper."""
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
    """Converts a clustering of nodes (nodes,) to a clustering of papers.

    Papers of the core without a node are singletons.
    """
    network, nodes = prepared.network, prepared.nodes
    papers = np.full(len(network), -1, np.int64)
    inside = nodes >= 0
    papers[inside] = membership[nodes[inside]]
    alone = ~inside & network.in_core
    papers[alone] = membership.max(initial=-1) + np.arange(1, int(alone.sum()) + 1)
    return order_labels(network.ids, papers, network.in_core)


def sum_by_node(prepared: PreparedNetwork, values: npt.NDArray[Any]) -> Floats:
    """Sums values of papers (papers,) by node (nodes,); papers without a node are skipped."""
    inside = prepared.nodes >= 0
    nodes = prepared.nodes[inside]
    return np.bincount(nodes, values[inside], minlength=len(prepared)).astype(np.float64)


def scale_edges(prepared: PreparedNetwork, shares: Floats) -> PreparedNetwork:
    """Multiplies the weight of each edge by its share (edges,); a share of 0 removes the edge.

    The null model remains that of the original network.
    """
    source, target, weights = select_upper(prepared.weights)
    kept = shares > 0
    ends = (source[kept], target[kept])
    upper = coo_array((weights[kept] * shares[kept], ends), shape=prepared.weights.shape)
    scaled = (upper + upper.T).tocsr()
    scaled.sort_indices()
    graph, edges = _to_igraph(scaled)
    return replace(prepared, weights=scaled, graph=graph, edges=edges)


def split(weights: csr_array, membership: npt.NDArray[np.integer]) -> Labels:
    """Splits communities into connected components, which lowers neither quality function.

    `weights` (nodes, nodes) is symmetric; `membership` (nodes,).

    Returns:
        (nodes,) communities, numbered by first node.
    """
    rows = np.repeat(np.arange(len(membership)), np.diff(weights.indptr))
    together = membership[rows] == membership[weights.indices]
    ends = (rows[together], weights.indices[together])
    within = coo_array((np.ones(len(ends[0]), np.int8), ends), shape=weights.shape)
    parts: Labels = connected_components(within, directed=False)[1].astype(np.int32)
    return parts


def _merge(network: Network, nodes: Labels) -> csr_array:
    """Weights (nodes, nodes) between nodes, in both directions; `nodes` (papers,)."""
    weights = network.weights
    source, target = np.repeat(nodes, network.degrees), nodes[weights.indices]
    kept = (source != target) & (source >= 0) & (target >= 0)
    size = int(nodes.max(initial=-1)) + 1
    ends = (source[kept], target[kept])
    merged = coo_array((weights.data[kept], ends), shape=(size, size)).tocsr()
    merged.sort_indices()
    return merged


def _to_igraph(weights: csr_array) -> tuple[Any, Floats]:
    """The igraph.Graph with each edge once, and the weights of its edges."""
    import igraph

    source, target, values = select_upper(weights)
    return igraph.Graph(int(weights.shape[0]), edges=np.stack([source, target], axis=1)), values
