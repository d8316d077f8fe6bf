"""Networks in files: written and read back; damage is reported in one line."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings

from citescape.core.errors import SourceError
from citescape.networks import files
from citescape.networks.files import (
    EDGES,
    PAPERS,
    edge_tables,
    read_neighbours,
    read_network,
    write_network,
)
from citescape.networks.network import Network, build_network
from tests.networks.graphs import make, name, networks

IDS = ["a", "b", "c", "ä"]


def network(core: list[bool] | None = None) -> Network:
    ends = (np.array([2, 0, 1]), np.array([0, 3, 0]))
    mask = None if core is None else np.array(core)
    return build_network(pa.array(IDS), ends, np.array([0.1, 1 / 3, 5.0]), core=mask)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_network(tmp_path, network())
    return tmp_path


def same(first: Network, second: Network) -> bool:
    return (
        first.ids.equals(second.ids)
        and (first.weights.toarray() == second.weights.toarray()).all()
        and (first.in_core == second.in_core).all()
        and (first.core is None) == (second.core is None)
    )


@pytest.mark.parametrize("core", [None, [True, False, True, False]])
def test_a_written_network_is_read_back(core: list[bool] | None, tmp_path: Path) -> None:
    write_network(tmp_path, network(core))
    assert same(read_network(tmp_path), network(core))
    edges = pq.read_table(tmp_path / EDGES).to_pylist()
    assert edges == [
        {"source": 0, "target": 1, "weight": 5.0},
        {"source": 0, "target": 2, "weight": 0.1},
        {"source": 0, "target": 3, "weight": 1 / 3},
    ]


@pytest.mark.parametrize("ids", [[], ["a"], IDS])
def test_networks_without_edges_or_papers(ids: list[str], tmp_path: Path) -> None:
    no_entries = np.empty(0, np.int32)
    empty = build_network(pa.array(ids, pa.string()), (no_entries, no_entries), np.empty(0))
    write_network(tmp_path, empty)
    result = read_network(tmp_path)
    assert (result.ids.to_pylist(), result.edges) == (ids, 0)


def test_edges_are_read_in_slices(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(files, "_SLICE", 2)
    assert [len(part) for part in edge_tables(network())] == [2, 1]
    write_network(tmp_path, network())
    assert same(read_network(tmp_path), network())


@pytest.mark.parametrize("name", [PAPERS, EDGES])
@pytest.mark.parametrize("content", [None, b"", b"PAR1", b"hello", "cut"])
def test_missing_and_truncated_files_are_reported(folder: Path, name: str, content: Any) -> None:
    path = folder / name
    whole = path.read_bytes()
    path.unlink()
    if content is not None:
        path.write_bytes(whole[: len(whole) // 2] if content == "cut" else content)
    with pytest.raises(SourceError, match=r"expected papers\.parquet \(id, core\).*build the netw"):
        read_network(folder)


PAPER_COLUMNS: dict[str, Any] = {"id": IDS, "core": [True] * 4}
EDGE_COLUMNS: dict[str, Any] = {"source": [0, 0], "target": [1, 2], "weight": [1.0, 2.0]}


@pytest.mark.parametrize(
    ("name", "changed", "message"),
    [
        (PAPERS, {"id": None}, "found: .*id"),
        (PAPERS, {"core": None}, "found: .*core"),
        (PAPERS, {"core": ["x", "y", "z", "w"]}, "found: Failed to parse value"),
        (PAPERS, {"core": [True, None, True, True]}, "no missing values; found some"),
        (PAPERS, {"id": ["a", "b", "c", None]}, "no missing values; found some"),
        (PAPERS, {"id": ["b", "a", "c", "ä"]}, "ids in papers.parquet ascending, each once"),
        (PAPERS, {"id": ["a", "a", "c", "ä"]}, "ids in papers.parquet ascending, each once"),
        (PAPERS, {"id": ["a", "b"], "core": [True, True]}, "to a higher row of 2 papers; found"),
        (EDGES, {"weight": None}, "found: .*weight"),
        (EDGES, {"source": ["x", "y"]}, "found: .*int32"),
        (EDGES, {"source": [0, 2**40]}, "found: .*not in range"),
        (EDGES, {"target": [1, None]}, "no missing values; found some"),
        (EDGES, {"source": [-1, 0]}, "a lower to a higher row of 4 papers; found others"),
        (EDGES, {"target": [1, 4]}, "a lower to a higher row of 4 papers; found others"),
        (EDGES, {"target": [0, 2]}, "a lower to a higher row of 4 papers; found others"),
        (
            EDGES,
            {"source": [2, 0], "target": [1, 2]},
            "a lower to a higher row of 4 papers; found others",
        ),
        (EDGES, {"target": [2, 2]}, "edges ascending, each once; found others"),
        (EDGES, {"target": [2, 1]}, "edges ascending, each once; found others"),
        (EDGES, {"weight": [1.0, 0.0]}, "weights above 0; found others"),
        (EDGES, {"weight": [1.0, -1.0]}, "weights above 0; found others"),
        (EDGES, {"weight": [1.0, np.nan]}, "weights above 0; found others"),
        (EDGES, {"weight": [np.inf, 1.0]}, "weights above 0; found others"),
    ],
)
def test_invalid_contents_are_reported(
    folder: Path, name: str, changed: dict[str, Any], message: str
) -> None:
    for file, columns in ((PAPERS, PAPER_COLUMNS), (EDGES, EDGE_COLUMNS)):
        table = {**columns, **changed} if file == name else columns
        held = {column: values for column, values in table.items() if values is not None}
        pq.write_table(pa.table(held), folder / file)
    with pytest.raises(SourceError, match=message) as error:
        read_network(folder)
    assert str(error.value).startswith(f"{folder}: expected ")
    assert str(error.value).endswith("; move the folder away and build the network again")


def test_other_columns_and_wider_types_are_accepted(folder: Path) -> None:
    pq.write_table(pa.table({**PAPER_COLUMNS, "note": IDS}), folder / PAPERS)
    pq.write_table(pa.table(EDGE_COLUMNS), folder / EDGES)
    assert read_network(folder).edges == 2


@settings(max_examples=50)
@given(networks())
def test_neighbours_in_any_network(network: Network) -> None:
    ids = network.ids.to_pylist()
    dense = network.weights.toarray()
    with tempfile.TemporaryDirectory() as folder:
        write_network(Path(folder), network)
        for row, own in enumerate(ids):
            near = [(ids[k], dense[row, k]) for k in range(len(ids)) if dense[row, k]]
            neighbours = read_neighbours(Path(folder), own)
            assert neighbours is not None
            listed = [(row["id"], row["weight"]) for row in neighbours.to_pylist()]
            assert listed == sorted(near, key=lambda pair: (-pair[1], pair[0]))


def test_neighbours_from_edges_in_any_order(tmp_path: Path) -> None:
    write_network(tmp_path, make(5, [(0, 2), (1, 2), (2, 3), (2, 4)], [1, 2, 3, 4]))
    edges = pq.read_table(tmp_path / EDGES)
    for order in ([3, 0, 2, 1], [3, 2, 1, 0], [2, 3, 0, 1]):
        pq.write_table(edges.take(order), tmp_path / EDGES)
        neighbours = read_neighbours(tmp_path, name(2))
        assert neighbours is not None
        near = [(row["id"], row["weight"]) for row in neighbours.to_pylist()]
        assert near == [(name(4), 4), (name(3), 3), (name(1), 2), (name(0), 1)]


def test_neighbours_of_equal_weight_are_ordered_by_id(tmp_path: Path) -> None:
    network = make(6, [(3, 5), (3, 0), (3, 4), (1, 3)], [1, 1, 2, 1])
    write_network(tmp_path, network)
    neighbours = read_neighbours(tmp_path, name(3))
    assert neighbours is not None
    assert neighbours["id"].to_pylist() == [name(4), name(0), name(1), name(5)]
    alone = read_neighbours(tmp_path, name(2))
    assert alone is not None
    assert alone.num_rows == 0
    assert read_neighbours(tmp_path, "absent") is None


@pytest.mark.parametrize("file", [EDGES, PAPERS])
def test_neighbours_from_damaged_files(file: str, tmp_path: Path) -> None:
    write_network(tmp_path, make(3, [(0, 1)]))
    whole = (tmp_path / file).read_bytes()
    for damage in (b"", whole[: len(whole) // 2]):
        (tmp_path / file).write_bytes(damage)
        with pytest.raises(SourceError, match=r"expected papers.*build the network again"):
            read_neighbours(tmp_path, name(0))
    (tmp_path / file).unlink()
    with pytest.raises(SourceError, match="move the folder away"):
        read_neighbours(tmp_path, name(0))
