"""Nearest papers in a network, with titles and whether they are cited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError, SourceError
from citescape.networks.build import NetworkRun, find_network
from citescape.networks.files import EDGES, write_network
from citescape.networks.nearest_table import find_nearest
from citescape.networks.network import build_network
from citescape.runs.directory import RunRecord, open_run
from citescape.store.graph_store import Change, GraphStore
from tests.importance.conftest import insert

PAPERS: list[dict[str, Any]] = [
    {"id": "doi:10.1234/9a", "title": "Rice under drought", "year": 2018, "doi": "10.1234/9a"},
    {"id": "doi:10.1234/9b", "title": "Wheat in salty soils", "year": 2011},
    {"id": "doi:10.1234/9c", "title": None, "year": None},
    {"id": "doi:10.1234/9d", "title": "Maize | a review", "year": 2009},
    {"id": "doi:10.1234/9e", "title": "Rye", "year": 2015},
    {"id": "doi:10.1234/9f", "title": "Oats, which nothing is linked to", "year": 2016},
    {"id": "doi:10.1234/9g", "title": "Barley, which came later", "year": 2019},
]
CITES = (("a", "b"), ("c", "a"), ("a", "e"), ("e", "a"), ("b", "d"))
EDGE = {("a", "b"): 0.5, ("a", "c"): 0.75, ("a", "d"): 0.5, ("a", "e"): 0.25, ("b", "c"): 1.0}


@pytest.fixture
def crops(store: GraphStore) -> GraphStore:
    insert(store, "Paper", PAPERS)
    pairs = [
        {"from": f"doi:10.1234/9{citing}", "to": f"doi:10.1234/9{cited}"} for citing, cited in CITES
    ]
    insert(store, "CITES", pairs)
    return store


@pytest.fixture
def network(tmp_path: Path) -> NetworkRun:
    return keep(tmp_path, {"kind": "knn", "weighted": True, "normalise": "none"})


def keep(runs: Path, config: dict[str, Any]) -> NetworkRun:
    """A network of all papers except the one that was added later."""
    config = {"papers": "fulltext", **config}
    ids = pa.array([paper["id"] for paper in PAPERS[:-1]], pa.string())
    ends = np.array([["abcdef".index(end) for end in pair] for pair in EDGE])
    weights = np.array(list(EDGE.values()))
    with open_run(runs, "network-1") as directory:
        write_network(directory.path, build_network(ids, (ends[:, 0], ends[:, 1]), weights))
        directory.complete(RunRecord("network-1", "network", config, {}, started="2026"))
    return find_network(runs, "network-1")


def test_heaviest_first_then_by_id(crops: GraphStore, network: NetworkRun) -> None:
    nearest = find_nearest(crops, "https://doi.org/10.1234/9A", network)
    assert (nearest.paper.id, nearest.network, nearest.measure) == (
        "doi:10.1234/9a",
        "network-1",
        "similarity",
    )
    assert (nearest.neighbours, nearest.not_in_graph) == (4, 0)
    rows_ = [(paper.rank, paper.id[-1], paper.weight, paper.year) for paper in nearest.papers]
    assert rows_ == [
        (1, "c", 0.75, None),
        (2, "b", 0.5, 2011),
        (3, "d", 0.5, 2009),
        (4, "e", 0.25, 2015),
    ]
    assert [paper.title for paper in nearest.papers] == [
        "",
        *(PAPERS[k]["title"] for k in (1, 3, 4)),
    ]


def test_cited_means_cited_by_the_given_paper(crops: GraphStore, network: NetworkRun) -> None:
    """a cites b and e; c cites a; a and e cite each other; b, not a, cites d."""
    nearest = find_nearest(crops, "doi:10.1234/9a", network)
    assert {paper.id[-1]: paper.cited for paper in nearest.papers} == {
        "b": True,
        "c": False,
        "d": False,
        "e": True,
    }
    cited_only = find_nearest(crops, "doi:10.1234/9b", network).papers
    assert [(paper.id[-1], paper.cited) for paper in cited_only] == [("c", False), ("a", False)]


def test_at_most_k_neighbours(crops: GraphStore, network: NetworkRun) -> None:
    every = find_nearest(crops, "doi:10.1234/9a", network).papers
    for k in (1, 2, 4, 5):
        nearest = find_nearest(crops, "doi:10.1234/9a", network, k=k)
        assert (nearest.papers, nearest.neighbours) == (every[:k], 4)


def test_removed_papers_are_replaced_by_others(crops: GraphStore, network: NetworkRun) -> None:
    crops.apply([Change("delete", "Paper", pa.table({"id": ["doi:10.1234/9c"]}))])
    nearest = find_nearest(crops, "doi:10.1234/9a", network, k=2)
    assert [(paper.rank, paper.id[-1]) for paper in nearest.papers] == [(1, "b"), (2, "d")]
    assert (nearest.neighbours, nearest.not_in_graph) == (4, 1)


def test_a_paper_without_links(crops: GraphStore, network: NetworkRun) -> None:
    nearest = find_nearest(crops, "doi:10.1234/9f", network)
    assert (nearest.papers, nearest.neighbours) == ([], 0)
    assert nearest.arrow.num_rows == 0


@pytest.mark.parametrize(
    ("config", "measure"),
    [
        ({"kind": "knn", "weighted": False, "normalise": "none"}, "weight"),
        ({"kind": "knn", "weighted": True, "normalise": "fractional"}, "weight"),
        ({"kind": "coupling", "normalise": "none"}, "weight"),
    ],
)
def test_names_of_weights(
    config: dict[str, Any], measure: str, crops: GraphStore, tmp_path: Path
) -> None:
    nearest = find_nearest(crops, "doi:10.1234/9a", keep(tmp_path, config), k=1)
    assert nearest.measure == measure
    (row,) = nearest.arrow.to_pylist()
    assert row == {
        "rank": 1,
        "id": "doi:10.1234/9c",
        "title": "",
        "year": None,
        measure: 0.75,
        "cited": False,
    }


def test_unknown_papers_and_damaged_networks_are_reported(
    crops: GraphStore, network: NetworkRun
) -> None:
    with pytest.raises(ConfigError, match="k is 0; expected 1 or more"):
        find_nearest(crops, "doi:10.1234/9a", network, k=0)
    with pytest.raises(ConfigError, match=r"no paper '10\.9/9'"):
        find_nearest(crops, "10.9/9", network)
    with pytest.raises(
        ConfigError, match=r'10\.1234/9g "Barley.* is not in network-1, .*fulltext papers'
    ):
        find_nearest(crops, "doi:10.1234/9g", network)
    (network.path / EDGES).write_bytes(b"no Parquet")
    with pytest.raises(SourceError, match="build the network again"):
        find_nearest(crops, "doi:10.1234/9a", network)
