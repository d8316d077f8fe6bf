"""The graph as data of PyTorch Geometric, and a `NeighborLoader` for it.

Messages of PyG flow along edges: the sampled neighbours of a paper are the sources of edges that
lead to it, the papers that cite it. `Citations.reverse` gives the opposite direction.

`ids` is an Arrow array of all nodes, also in a batch; the ids of a batch are
`batch.ids.take(batch.n_id)`. PyG's loaders would read a list as features and refuse it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import ConfigError, StoreError
from citescape.core.extras import require
from citescape.store.graph_store import GraphStore
from citescape.store.schema import NODE, REL, RelTable
from citescape.store.statements import read_text

if TYPE_CHECKING:
    from torch import Generator, Tensor
    from torch_geometric.data import Data, HeteroData
    from torch_geometric.loader import NeighborLoader

    from citescape.networks.citations import Citations
    from citescape.networks.network import Network

RELATIONS = (
    *("CITES", "VERSION_OF", "WROTE", "AFFILIATED_WITH"),
    *("PUBLISHED_IN", "HAS_KEYWORD", "HAS_SUBJECT", "HAS_MESH"),
)
"""Relationships of papers with papers, people, institutions and subjects. Those of the full text,
of notices, and those that were computed (communities, RELATED, vectors) are left out."""
_LIBRARIES = ("torch", "torch_geometric")


def citation_data(citations: Citations) -> Data:
    """Directed citations: `edge_index` (2, citations) citing over cited, `edge_weight`, `ids`."""
    ends = np.stack([citations.citing, citations.cited])
    return _data(citations.ids, ends, citations.weights)


def network_data(network: Network) -> Data:
    """An undirected network, with each edge in both directions."""
    matrix = network.weights.tocoo()
    sources, targets = matrix.coords
    return _data(network.ids, np.stack([sources, targets]), matrix.data)


def hetero_data(store: GraphStore, *, relations: Sequence[str] = RELATIONS) -> HeteroData:
    """A store as a graph of several kinds of nodes.

    Each label has `ids` and `num_nodes`; each of the relationship types `edge_index`, and CITES
    `edge_weight` too where all citations have an importance. Relationships without rows are
    skipped.

    Raises:
        ConfigError: PyG is missing, or the schema has no such relationship.
        StoreError: the store has none of these relationships, or lacks a node of one.
    """
    require(*_LIBRARIES)
    from torch_geometric.data import HeteroData

    unknown = sorted(set(relations) - set(REL))
    if unknown:
        known = ", ".join(sorted(REL))
        raise ConfigError(f"no relationship {', '.join(unknown)}; expected some of: {known}")
    tables = {}
    for name in relations:
        rows = store.read(read_text(REL[name], ["importance"] if name == "CITES" else []))
        if rows.num_rows:
            tables[name] = rows
    if not tables:
        raise StoreError(f"{store.location} holds no {', '.join(relations)}; load papers first")

    data, ids = HeteroData(), {}
    labels = [end for name in tables for end in (REL[name].source, REL[name].target)]
    for label in dict.fromkeys(labels):
        rows = store.read(read_text(NODE[label], []))["id"].combine_chunks().cast(pa.string())
        ids[label] = rows.take(pc.sort_indices(rows))
        data[label].num_nodes = len(ids[label])
        data[label].ids = ids[label]
    for name, rows in tables.items():
        _add_relation(data, REL[name], rows, ids=ids)
    return data


def neighbor_loader(
    data: Data | HeteroData,
    fanouts: Sequence[int],
    *,
    input_nodes: Tensor | str | tuple[str, Tensor | None] | None = None,
    batch_size: int = 1,
    shuffle: bool = False,
    generator: Generator | None = None,
    num_workers: int = 0,
    seed: int = 0,
) -> NeighborLoader:
    """A `NeighborLoader` with `KeyedSampler`: PyG's own needs pyg-lib, which is not on PyPI.

    Args:
        data: data of this module, or any other.
        fanouts: number of neighbours per node and hop; -1 for all.
        input_nodes: nodes to sample around, codes or a mask; in a graph of several kinds a label,
            or a label and these.
        batch_size: nodes per batch.
        shuffle: use another order of the nodes in each pass.
        generator: random generator of that order.
        num_workers: number of processes that sample.
        seed: random seed of the sampling.
    """
    require(*_LIBRARIES)
    from torch_geometric.loader import NeighborLoader

    from citescape.encoders.pyg_sampler import KeyedSampler

    sampler = KeyedSampler(data, fanouts, seed=seed)
    return NeighborLoader(
        data,
        list(fanouts),
        input_nodes=input_nodes,
        neighbor_sampler=sampler,
        batch_size=batch_size,
        shuffle=shuffle,
        generator=generator,
        num_workers=num_workers,
    )


def _data(ids: pa.StringArray, ends: Any, weights: Any) -> Data:
    require(*_LIBRARIES)
    import torch
    from torch_geometric.data import Data

    return Data(
        edge_index=torch.from_numpy(ends.astype(np.int64)),
        edge_weight=torch.from_numpy(np.asarray(weights, np.float32)),
        num_nodes=len(ids),
        ids=ids,
    )


def _add_relation(
    data: HeteroData, table: RelTable, rows: pa.Table, *, ids: dict[str, pa.StringArray]
) -> None:
    """Adds the edges of one type, sorted by source, then target."""
    import torch

    ends = []
    for column, label in (("from", table.source), ("to", table.target)):
        codes = rows[column].cast(pa.string())
        places = pc.index_in(codes, value_set=ids[label])
        if places.null_count:
            first = codes.filter(pc.is_null(places))[0]
            raise StoreError(
                f"{places.null_count} times {column!r} of {table.name} is not a node of the store, "
                f"such as {first}; another process may be writing to the store: read it again "
                "afterwards"
            )
        ends.append(places.to_numpy())
    order = np.lexsort(ends[::-1])
    edges = data[table.source, table.name, table.target]
    edges.edge_index = torch.from_numpy(np.stack(ends)[:, order].astype(np.int64))
    if "importance" in rows.column_names and not rows["importance"].null_count:
        weights = rows["importance"].to_numpy()[order]
        edges.edge_weight = torch.from_numpy(weights.astype(np.float32))
