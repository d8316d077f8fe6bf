"""Connected components in parts, compared with those of scipy."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from citescape.distributed.exchange import expect_files, part_of, writing
from citescape.distributed.stages import Stages
from citescape.distributed.storage import Storage
from citescape.ingest.shards.components import Roots, add_edges, connect, smallest_of_rows
from tests.ingest.shards.graphs import HereOnly

Edges = Sequence[tuple[int, int]]
_NODES = 40


def roots_in_parts(folder: Path, files: Sequence[Edges], parts: int) -> dict[int, int]:
    """The smallest node of the component of each node."""
    storage = Storage(str(folder))
    expect_files(storage, "first", len(files))
    for number, edges in enumerate(files):
        with writing(storage, f"first/{number}") as file:
            ends = np.array(edges, np.uint64).reshape(-1, 2)
            add_edges(file, pa.table({"node": ends[:, 0], "near": ends[:, 1]}), parts)
    folder_of_roots = connect(Stages(storage, HereOnly()), "rounds", "first", parts)
    found = {}
    nodes = np.arange(_NODES, dtype=np.uint64)
    own = part_of(nodes, parts)
    for part in range(parts):
        mine = nodes[own == part]
        roots = Roots(storage, folder_of_roots, part).of(mine)
        found |= dict(zip(mine.tolist(), roots.tolist(), strict=True))
    return found


def plain_roots(edges: Edges) -> dict[int, int]:
    """The same by scipy, for all edges at once."""
    ends = np.array(edges, np.int64).reshape(-1, 2)
    graph = csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(_NODES, _NODES))
    label = connected_components(graph, directed=False)[1]
    return {node: int(np.flatnonzero(label == label[node])[0]) for node in range(_NODES)}


_EDGE = st.tuples(st.integers(0, _NODES - 1), st.integers(0, _NODES - 1)).filter(
    lambda edge: edge[0] != edge[1]
)


@settings(max_examples=40)
@given(st.lists(st.lists(_EDGE, max_size=25), min_size=1, max_size=3), st.integers(1, 4))
def test_components_in_parts_are_those_of_the_whole(files: list[Edges], parts: int) -> None:
    with TemporaryDirectory() as folder:
        found = roots_in_parts(Path(folder), files, parts)
    assert found == plain_roots([edge for edges in files for edge in edges])


def test_a_long_chain_takes_few_rounds(tmp_path: Path) -> None:
    order = np.random.default_rng(0).permutation(_NODES)
    chain = [(int(a), int(b)) for a, b in zip(order[1:], order[:-1], strict=True)]
    assert set(roots_in_parts(tmp_path, [chain], 3).values()) == {0}
    assert len([*(tmp_path / "rounds").glob("*.expected")]) <= 2 * 8


def test_rows_lead_to_their_smallest_hash() -> None:
    rows = np.array([0, 0, 1, 2, 2, 3])
    hashes = np.array([9, 5, 5, 7, 8, 1], np.uint64)
    smallest, edges = smallest_of_rows(rows, hashes, 4)
    assert smallest.tolist() == [5, 5, 7, 1]
    assert edges.to_pylist() == [{"node": 8, "near": 7}, {"node": 9, "near": 5}]
