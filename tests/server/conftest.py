"""The explorer of a small graph, and a browser's session with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from starlette.testclient import TestClient

from citescape.importance.score import score
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.server.app import make_app
from citescape.server.graph import ServedGraph
from citescape.store.graph_store import open_store
from tests.ingest.papers import small_corpus, write_files

TOKEN = "a-token"
HOST = "http://127.0.0.1"


@pytest.fixture(scope="module")
def store_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty scored papers."""
    folder = tmp_path_factory.mktemp("explored")
    write_files(folder / "papers", small_corpus(20))
    store = open_store(str(folder / "explored.lbug"))
    ingest(store, [folder / "papers"], IngestConfig(workers=1))
    score(store, runs=folder / "runs")
    store.close()
    return folder / "explored.lbug"


@pytest.fixture
def stranger(store_file: Path) -> Iterator[TestClient]:
    """A client without a session."""
    with ServedGraph(str(store_file)) as graph:
        yield TestClient(make_app(graph, token=TOKEN, hosts=("127.0.0.1",)), base_url=HOST)


@pytest.fixture
def client(stranger: TestClient) -> TestClient:
    """A client that has opened the printed address."""
    stranger.get(f"/?token={TOKEN}")
    stranger.headers["X-Citescape"] = "1"
    return stranger
