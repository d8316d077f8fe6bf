"""Networks as graphs of networkx, igraph and PyTorch Geometric."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from citescape.core.extras import require
from citescape.networks.network import Network

if TYPE_CHECKING:
    import igraph
    import networkx
    from torch_geometric.data import Data


def to_networkx(network: Network) -> networkx.Graph:
    """A graph with ids of papers as nodes (`core`) and weighted edges (`weight`).

    Raises:
        ConfigError: networkx is not installed.
    """
    require("networkx")
    import networkx

    ids, (source, target, weight) = network.ids.to_pylist(), network.upper()
    graph = networkx.Graph()
    for id_, core in zip(ids, network.in_core.tolist(), strict=True):
        graph.add_node(id_, core=core)
    ends = zip(source.tolist(), target.tolist(), weight.tolist(), strict=True)
    graph.add_weighted_edges_from((ids[a], ids[b], value) for a, b, value in ends)
    return graph


def to_igraph(network: Network) -> igraph.Graph:
    """A graph with papers as vertices (`name`, `core`) and weighted edges (`weight`).

    Raises:
        ConfigError: igraph is not installed.
    """
    require("igraph")
    import igraph

    source, target, weight = network.upper()
    graph = igraph.Graph(len(network), np.column_stack([source, target]))
    graph.vs["name"] = network.ids.to_pylist()
    graph.vs["core"] = network.in_core.tolist()
    graph.es["weight"] = weight.tolist()
    return graph


def to_pyg(network: Network) -> Data:
    """Data of PyTorch Geometric: each edge in both directions; `ids`, `core`.

    Shapes: `edge_index` (2, 2 edges), `edge_weight` (2 edges,) of float32, `core` (papers,).

    Raises:
        ConfigError: torch or torch_geometric is not installed.
    """
    require("torch", "torch_geometric")
    import torch
    from torch_geometric.data import Data

    edges = network.weights.tocoo()
    return Data(
        edge_index=torch.from_numpy(np.stack(edges.coords).astype(np.int64)),
        edge_weight=torch.from_numpy(edges.data.astype(np.float32)),
        num_nodes=len(network),
        core=torch.from_numpy(network.in_core.copy()),
        ids=network.ids.to_pylist(),
    )
