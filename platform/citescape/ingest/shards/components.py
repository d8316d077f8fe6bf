"""Connected components of hashes in many parts: which hashes are equal directly or through others.

Kiveris et al., Connected Components in MapReduce and Beyond (SoCC 2014): each round connects the
larger neighbours of a node, then its smaller ones and itself, with the smallest of them
(large-star, small-star). In the end each hash is connected with the smallest one of its component.
A task holds the edges of one part of all hashes.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from citescape.core.hashing import Hashes
from citescape.distributed.exchange import ExchangeFile, part_of, read_exchange, read_facts, writing
from citescape.distributed.stages import Stages
from citescape.distributed.storage import Storage

EDGES = "edges"


def smallest_of_rows(
    rows: NDArray[np.int64], hashes: Hashes, count: int
) -> tuple[Hashes, pa.Table]:
    """For each row the smallest hash that it leads to, and edges from it to the other hashes.

    Args:
        rows: (k,) row of each hash.
        hashes: (k,).
        count: number of rows; each has a hash.
    """
    known, code = np.unique(hashes, return_inverse=True)
    shape = (count + len(known), count + len(known))
    graph = csr_array((np.ones(len(rows), np.int8), (rows, count + code)), shape=shape)
    label = connected_components(graph, directed=False)[1]
    smallest = np.full(label.max(initial=-1) + 1, np.iinfo(np.uint64).max, np.uint64)
    np.minimum.at(smallest, label[count:], known)
    roots = smallest[label[count:]]
    other = known != roots
    edges = pa.table({"node": known[other], "near": roots[other]})
    return smallest[label[:count]], edges


def add_edges(file: ExchangeFile, edges: pa.Table, parts: int) -> None:
    """Adds edges in both directions."""
    node, near = edges["node"].to_numpy(), edges["near"].to_numpy()
    for one, other in ((node, near), (near, node)):
        file.spread(EDGES, pa.table({"node": one, "near": other}), part_of(one, parts))


def _read_edges(storage: Storage, folder: str, part: int) -> tuple[Hashes, Hashes]:
    """The edges of the nodes of a part, each once, sorted."""
    rows = read_exchange(storage, folder, part).get(EDGES)
    if rows is None:
        return np.zeros(0, np.uint64), np.zeros(0, np.uint64)
    rows = rows.group_by(["node", "near"]).aggregate([])
    node, near = rows["node"].to_numpy(), rows["near"].to_numpy()
    order = np.lexsort((near, node))
    return node[order], near[order]


def _smallest_near(node: Hashes, near: Hashes) -> Hashes:
    """(k,) the smallest of the node of each edge and its neighbours."""
    starts = np.flatnonzero(np.append(True, node[1:] != node[:-1])[: len(node)])
    lengths = np.diff(np.append(starts, len(node)))
    return np.repeat(np.minimum(node[starts], near[starts]), lengths)  # neighbours are sorted


def connect_larger(storage: Storage, output: str, folder: str, part: int, parts: int) -> None:
    """Large-star: connects the larger neighbours of each node with the smallest of all."""
    node, near = _read_edges(storage, folder, part)
    smallest = _smallest_near(node, near)
    larger = near > node
    with writing(storage, output) as file:
        edges = pa.table({"node": near[larger], "near": smallest[larger]})
        file.spread(EDGES, edges, part_of(near[larger], parts))


def connect_smaller(storage: Storage, output: str, folder: str, part: int, parts: int) -> None:
    """Small-star: connects each node and its smaller neighbours with the smallest of them.

    The facts of the file identify the edges that it was made from.
    """
    node, near = _read_edges(storage, folder, part)
    smallest = _smallest_near(node, near)
    first = np.append(True, node[1:] != node[:-1])[: len(node)]
    members = np.concatenate([near, node[first]])
    roots = np.concatenate([smallest, smallest[first]])
    other = members != roots
    mixed = (node * np.uint64(0x9E3779B97F4A7C15)) ^ near
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    with writing(storage, output) as file:
        add_edges(file, pa.table({"node": members[other], "near": roots[other]}), parts)
        file.facts = {
            "edges": len(node),
            "sum": int((mixed >> np.uint64(16)).sum(dtype=object) or 0),
        }


def connect(stages: Stages, folder: str, first: str, parts: int) -> str:
    """Connects each hash with the smallest of its component.

    Args:
        stages: runs the tasks.
        folder: folder for the files of all rounds.
        first: folder of an exchange with edges in both directions (`add_edges`).
        parts: number of parts.

    Returns:
        Folder of an exchange with an edge from each hash that is not the smallest, see `Roots`.
    """
    before, edges, number = None, first, 0
    while True:
        number += 1
        larger, smaller = f"{folder}/{number:02}-larger", f"{folder}/{number:02}-smaller"
        title = f"connecting ids, round {number}"
        tasks = [(edges, part, parts) for part in range(parts)]
        stages.run(title, larger, connect_larger, tasks)
        tasks = [(larger, part, parts) for part in range(parts)]
        stages.run(title, smaller, connect_smaller, tasks)
        found = read_facts(stages.storage, smaller)
        if found == before:
            return larger
        before, edges = found, smaller


class Roots:
    """The smallest hash of the component of each hash in a part."""

    def __init__(self, storage: Storage, folder: str, part: int) -> None:
        self._node, self._root = _read_edges(storage, folder, part)

    def of(self, hashes: Hashes) -> Hashes:
        """The smallest hash (n,) of the component of each."""
        if not len(self._node):
            return hashes
        place = np.minimum(np.searchsorted(self._node, hashes), len(self._node) - 1)
        return np.where(self._node[place] == hashes, self._root[place], hashes)
