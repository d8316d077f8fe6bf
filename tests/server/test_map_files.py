"""Addresses of maps: which there are, and their files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from citescape.mapping.maps.map_run import POINTS, TEXTS
from citescape.runs.directory import RunRecord, open_run
from citescape.server.app import make_app
from citescape.server.graph import ServedGraph

NAMES = [f"map-{k:012d}" for k in range(3)]


def keep_map(runs: Path, name: str, *, started: str, drawn: bool = True) -> None:
    counts = {"papers": 7, "topics": 2}
    record = RunRecord(name, "map", {"level": "meso"}, {"clustering": "c"}, counts=counts)
    with open_run(runs, name) as directory:
        if drawn:
            (directory.path / POINTS).write_bytes(f"points of {name}".encode())
            (directory.path / TEXTS).write_bytes(f"texts of {name}".encode())
        directory.complete(replace(record, started=started))


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def client(runs: Path, store_file: Path) -> Iterator[TestClient]:
    with ServedGraph(str(store_file), runs) as graph:
        app = make_app(graph, token="t", hosts=("127.0.0.1",))
        client = TestClient(app, base_url="http://127.0.0.1")
        client.get("/?token=t")
        yield client


def test_maps_are_listed_the_latest_first(client: TestClient, runs: Path) -> None:
    for k, name in enumerate(NAMES):
        keep_map(runs, name, started=f"2026-01-0{k + 1}", drawn=k > 0)
    listed = client.get("/api/map/runs").json()
    assert [(run["run"], run["drawn"]) for run in listed] == [
        (NAMES[2], True),
        (NAMES[1], True),
        (NAMES[0], False),
    ]
    assert (listed[0]["level"], listed[0]["papers"], listed[0]["topics"]) == ("meso", 7, 2)


def test_files_are_those_of_the_run(client: TestClient, runs: Path) -> None:
    """Without a name, of the latest map that has files."""
    for k, name in enumerate(NAMES):
        keep_map(runs, name, started=f"2026-01-0{k + 1}", drawn=k < 2)
    assert client.get("/api/map/points").content == f"points of {NAMES[1]}".encode()
    named = client.get(f"/api/map/texts?run={NAMES[0]}")
    assert named.content == f"texts of {NAMES[0]}".encode()
    assert named.headers["content-type"] == "application/octet-stream"
    old = client.get(f"/api/map/points?run={NAMES[2]}")
    assert (old.status_code, old.json()["error"]) == (
        404,
        f"no map '{NAMES[2]}'; draw one with `platform map`",
    )


@pytest.mark.parametrize("name", ["../../etc", "map-absent", "%2e%2e%2f", "/etc/passwd"])
def test_only_runs_are_named(client: TestClient, runs: Path, name: str) -> None:
    keep_map(runs, NAMES[0], started="2026-01-01")
    assert client.get("/api/map/points", params={"run": name}).status_code == 404


def test_without_maps_there_is_nothing(client: TestClient) -> None:
    assert client.get("/api/map/runs").json() == []
    answer = client.get("/api/map/points")
    assert (answer.status_code, answer.content) == (204, b"")


def test_licences_of_libraries_are_served(client: TestClient) -> None:
    text = client.get("/static/licences.txt").text
    for name in ("@cosmos.gl/graph", "@luma.gl/core", "preact"):
        assert f"{name} " in text
