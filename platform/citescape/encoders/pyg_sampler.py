"""Neighbour sampling for PyTorch Geometric, in numba over CSR arrays.

The sampled neighbours of a node depend on (seed, epoch, relation, node) alone: not on the batch, on
earlier samples, or on the number of workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch_geometric.data import Data, HeteroData
from torch_geometric.sampler import (
    BaseSampler,
    EdgeSamplerInput,
    HeteroSamplerOutput,
    NodeSamplerInput,
    SamplerOutput,
)

from citescape.core.compiled import compiled
from citescape.core.draws import draw_below
from citescape.core.errors import ConfigError

Ints = npt.NDArray[np.int64]
EdgeType = tuple[str, str, str]
_ONLY = ""
"""The label of nodes in a graph of one kind of nodes."""


@dataclass(frozen=True)
class Incoming:
    """Edges of one type, sorted by target, then source."""

    indptr: Ints
    """(targets + 1,)"""
    sources: Ints
    """(edges,)"""
    edges: Ints
    """(edges,) positions in `edge_index`."""


class KeyedSampler(BaseSampler):  # type: ignore[misc]
    """Samples up to `fanouts[h]` of the edges that lead to each node of hop h, without replacement.

    Set `epoch` before each pass over the data to sample other neighbours in it.
    """

    def __init__(
        self, data: Data | HeteroData, fanouts: Sequence[int], *, seed: int = 0, epoch: int = 0
    ) -> None:
        if not fanouts or any(fanout < -1 for fanout in fanouts):
            raise ConfigError(
                f"fanouts are {list(fanouts)}; expected a number for each hop, -1 for all"
            )
        self.fanouts, self.seed, self.epoch = tuple(fanouts), seed, epoch
        self.hetero = isinstance(data, HeteroData)
        if isinstance(data, HeteroData):
            self.labels = list(data.node_types)
            parts = {t: (data[t].edge_index, data[t[2]].num_nodes) for t in data.edge_types}
        else:
            self.labels = [_ONLY]
            parts = {(_ONLY, _ONLY, _ONLY): (data.edge_index, data.num_nodes)}
        self.incoming = {kind: group_edges(*part) for kind, part in parts.items()}

    def sample_from_nodes(
        self, index: NodeSamplerInput, **_: Any
    ) -> SamplerOutput | HeteroSamplerOutput:
        """The sampled subgraph around some nodes, which are its first nodes."""
        nodes = {label: np.empty(0, np.int64) for label in self.labels}
        nodes[index.input_type or _ONLY] = index.node.numpy().astype(np.int64)
        frontier = {label: (0, len(codes)) for label, codes in nodes.items()}
        node_counts = {label: [len(codes)] for label, codes in nodes.items()}
        edge_counts: dict[EdgeType, list[int]] = {kind: [] for kind in self.incoming}
        parts: dict[EdgeType, list[tuple[Ints, Ints, Ints]]] = {kind: [] for kind in self.incoming}
        for fanout in self.fanouts:
            before = {label: len(codes) for label, codes in nodes.items()}
            for kind, incoming in self.incoming.items():
                first, last = frontier[kind[2]]
                reached = nodes[kind[2]][first:last]
                line, places = draw_edges(incoming.indptr, reached, fanout, self.key(kind))
                nodes[kind[0]], rows = discover(nodes[kind[0]], incoming.sources[places])
                parts[kind].append((rows, line + first, incoming.edges[places]))
                edge_counts[kind].append(len(places))
            for label, codes in nodes.items():
                frontier[label] = (before[label], len(codes))
                node_counts[label].append(len(codes) - before[label])

        node = {label: torch.from_numpy(codes) for label, codes in nodes.items()}
        row, col, edge = (
            {k: torch.from_numpy(np.concatenate([p[i] for p in parts[k]])) for k in parts}
            for i in range(3)
        )
        metadata = (index.input_id, index.time)
        if self.hetero:
            return HeteroSamplerOutput(
                node,
                row,
                col,
                edge,
                num_sampled_nodes=node_counts,
                num_sampled_edges=edge_counts,
                metadata=metadata,
            )
        kind = (_ONLY, _ONLY, _ONLY)
        return SamplerOutput(
            node[_ONLY],
            row[kind],
            col[kind],
            edge[kind],
            num_sampled_nodes=node_counts[_ONLY],
            num_sampled_edges=edge_counts[kind],
            metadata=metadata,
        )

    def sample_from_edges(self, index: EdgeSamplerInput, neg_sampling: Any = None) -> Any:
        """Not supported.

        Raises:
            NotImplementedError: always; for link prediction see `encoders.link_prediction`.
        """
        raise NotImplementedError("KeyedSampler samples around nodes, not around edges")

    def key(self, kind: EdgeType) -> int:
        """The random seed of one edge type."""
        number = list(self.incoming).index(kind)
        words = np.random.SeedSequence([self.seed, self.epoch, number]).generate_state(1, np.uint64)
        return int(words[0] >> np.uint64(1))


def group_edges(edge_index: torch.Tensor, targets: int) -> Incoming:
    """Edges (2, e) sorted by target, then source."""
    sources, ends = edge_index.numpy()
    order = np.lexsort((sources, ends))
    counts = np.bincount(ends, minlength=targets)
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Incoming(indptr, sources[order].astype(np.int64), order.astype(np.int64))


def discover(nodes: Ints, sampled: Ints) -> tuple[Ints, Ints]:
    """The nodes, then the new ones of `sampled`, and the positions of `sampled` among them."""
    codes = np.concatenate([nodes, sampled])
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    new = np.sort(first[first >= len(nodes)])
    place = np.where(first < len(nodes), first, len(nodes) + np.searchsorted(new, first))
    return np.concatenate([nodes, codes[new]]), place[inverse[len(nodes) :]]


@compiled
def draw_edges(indptr: Ints, nodes: Ints, fanout: int, key: int) -> tuple[Ints, Ints]:
    """Up to `fanout` edges of each node, every set of edges equally likely (Floyd's algorithm).

    Args:
        indptr: (targets + 1,) of the incoming edges.
        nodes: (n,) nodes to draw edges of.
        fanout: maximum number of edges per node; -1 for all.
        key: random seed.

    Returns:
        For each edge its position in `nodes`, ascending, and its position in CSR order.
    """
    total = 0
    for node in nodes:
        degree = indptr[node + 1] - indptr[node]
        total += degree if fanout < 0 else min(degree, fanout)
    lines, places = np.empty(total, np.int64), np.empty(total, np.int64)
    filled = 0
    for line, node in enumerate(nodes):
        first, degree = indptr[node], indptr[node + 1] - indptr[node]
        begun = filled
        if fanout < 0 or degree <= fanout:
            for k in range(degree):
                places[filled] = first + k
                filled += 1
        else:
            for last in range(degree - fanout, degree):
                drawn = first + draw_below(last + 1, key, node, last)
                for k in range(begun, filled):
                    if places[k] == drawn:
                        drawn = first + last
                        break
                places[filled] = drawn
                filled += 1
        lines[begun:filled] = line
    return lines, places
