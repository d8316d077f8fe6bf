"""The edges of one paper from files, against those of the whole network."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings

from citescape.core.errors import SourceError
from citescape.networks.files import EDGES, PAPERS, write_network
from citescape.networks.network import Network
from citescape.networks.ties import read_ties
from tests.networks.graphs import make, name, networks


@settings(max_examples=50)
@given(networks())
def test_any_network(network: Network) -> None:
    ids = network.ids.to_pylist()
    dense = network.weights.toarray()
    with tempfile.TemporaryDirectory() as folder:
        write_network(Path(folder), network)
        for row, own in enumerate(ids):
            near = [(ids[k], dense[row, k]) for k in range(len(ids)) if dense[row, k]]
            found = read_ties(Path(folder), own)
            assert found is not None
            told = [(one["id"], one["weight"]) for one in found.to_pylist()]
            assert told == sorted(near, key=lambda one: (-one[1], one[0]))


def test_edges_in_any_order(tmp_path: Path) -> None:
    write_network(tmp_path, make(5, [(0, 2), (1, 2), (2, 3), (2, 4)], [1, 2, 3, 4]))
    edges = pq.read_table(tmp_path / EDGES)
    for order in ([3, 0, 2, 1], [3, 2, 1, 0], [2, 3, 0, 1]):
        pq.write_table(edges.take(order), tmp_path / EDGES)
        found = read_ties(tmp_path, name(2))
        assert found is not None
        near = [(one["id"], one["weight"]) for one in found.to_pylist()]
        assert near == [(name(4), 4), (name(3), 3), (name(1), 2), (name(0), 1)]


def test_equal_weights_come_by_id(tmp_path: Path) -> None:
    network = make(6, [(3, 5), (3, 0), (3, 4), (1, 3)], [1, 1, 2, 1])
    write_network(tmp_path, network)
    found = read_ties(tmp_path, name(3))
    assert found is not None
    assert found["id"].to_pylist() == [name(4), name(0), name(1), name(5)]
    alone = read_ties(tmp_path, name(2))
    assert alone is not None
    assert alone.num_rows == 0
    assert read_ties(tmp_path, "absent") is None


@pytest.mark.parametrize("file", [EDGES, PAPERS])
def test_damaged_files(file: str, tmp_path: Path) -> None:
    write_network(tmp_path, make(3, [(0, 1)]))
    whole = (tmp_path / file).read_bytes()
    for damage in (b"", whole[: len(whole) // 2]):
        (tmp_path / file).write_bytes(damage)
        with pytest.raises(SourceError, match=r"expected papers.*build the network anew"):
            read_ties(tmp_path, name(0))
    (tmp_path / file).unlink()
    with pytest.raises(SourceError, match="move the folder away"):
        read_ties(tmp_path, name(0))
