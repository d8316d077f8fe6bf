"""Random graphs, as networks of papers and as networkx graphs."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from citescape.networks.network import Network, build_network

Edges = list[tuple[int, int]]


def name(place: int) -> str:
    return f"p{place:04d}"


def make(papers: int, edges: Edges, weights: list[float] | None = None) -> Network:
    """Papers p0000, p0001, ..., in this order."""
    ids = pa.array([name(place) for place in range(papers)], pa.string())
    ends = np.array(edges, np.int64).reshape(-1, 2)
    values = np.ones(len(edges)) if weights is None else np.array(weights, np.float64)
    return build_network(ids, (ends[:, 0], ends[:, 1]), values)


def as_networkx(network: Network) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(range(len(network)))
    graph.add_edges_from(zip(*(ends.tolist() for ends in network.upper()[:2]), strict=True))
    return graph


@st.composite
def networks(draw: st.DrawFn, *, most: int = 12) -> Network:
    """Networks without papers, without edges, with several components, and complete ones."""
    papers = draw(st.integers(0, most))
    pairs = list(combinations(range(papers), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    weights = draw(st.lists(st.floats(0.1, 9), min_size=len(edges), max_size=len(edges)))
    return make(papers, edges, weights)


def scale_free(papers: int, *, seed: int) -> Network:
    """A connected core with hubs, and ten isolated papers."""
    graph = nx.powerlaw_cluster_graph(papers, 4, 0.4, seed=seed)
    return make(papers + 10, list(graph.edges))
