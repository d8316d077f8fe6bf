"""Common fixtures: real stores on both engines, and real data if present."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from citescape.store.graph_store import GraphStore, open_store
from tests.neo4j.server import CHOSEN, CURRENT, Neo4jServer, Release, why_unavailable
from tests.required import skip_outside_ci
from tests.slow import is_slow

ROOT = Path(__file__).parents[1]
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # tests need no model hub
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # more would only wait
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # for tests with two threads: do not spin
settings.register_profile("unhurried", deadline=None)  # the first call compiles
settings.load_profile("unhurried")


LONGEST = {"test_notebooks.py", "test_train.py", "test_recommender.py", "test_proof.py"}


_ON_NEO4J = re.compile(
    r"^tests/(store/neo4j/|kills/|cypher/test_browser|store/test_engines_agree)"
    r"|[\[-]neo4j[\]-]|::test_neo4j_|/neo4j\.md\]"
)
"""Ids of tests that need a server: they run on one worker, so that one server is started."""
_SERVERS = frozenset({"neo4j_server", "current_neo4j_server"})


class Scheduling(LoadScopeScheduling):
    """Tests with Neo4j go to one worker; of the others, those of a file stay together."""

    def _split_scope(self, nodeid: str) -> str:
        return "neo4j" if _ON_NEO4J.search(nodeid) else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Marks of pytest-xdist for groups have no effect with pytest 9.2."""
    return Scheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests, and moves the longest to the front, so that none runs alone at the end."""
    for item in items:
        if is_slow(item.nodeid):
            item.add_marker("slow")
        if _ON_NEO4J.search(item.nodeid):
            item.add_marker("neo4j")
        elif _SERVERS.intersection(getattr(item, "fixturenames", ())):
            raise pytest.UsageError(f"{item.nodeid} needs a server: name it test_neo4j_...")
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    if item.get_closest_marker("neo4j"):
        return 0
    return 1 if item.path.name in LONGEST else 2


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """Ctrl-C works in programs that tests start, also if the tests run as a background job.

    Shells start such jobs with SIGINT ignored, and children inherit that.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def neo4j_server() -> Iterator[Neo4jServer]:
    """A real Neo4j without authentication, shared by the session. Tests empty it themselves."""
    with _start(CHOSEN) as server:
        yield server


@pytest.fixture(scope="session")
def current_neo4j_server(request: pytest.FixtureRequest) -> Iterator[Neo4jServer]:
    """The same of the current release, which some tests use in every session."""
    if CHOSEN is CURRENT:
        yield request.getfixturevalue("neo4j_server")
        return
    with _start(CURRENT) as server:
        yield server


def _start(release: Release) -> Neo4jServer:
    if (reason := why_unavailable(release)) is not None:
        skip_outside_ci(f"no Neo4j: {reason}")
    return Neo4jServer(release=release)


@pytest.fixture(params=["ladybug", "neo4j"])
def fresh_store(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Callable[[], GraphStore]]:
    """A function that opens an empty store of the tested engine at each call."""
    opened: list[GraphStore] = []
    numbers = count()
    address = None if request.param == "ladybug" else request.getfixturevalue("neo4j_server").uri

    def open_empty() -> GraphStore:
        while opened:
            opened.pop().close()
        if address:
            empty_neo4j(address)
        store = open_store(address or str(tmp_path / f"{next(numbers)}.lbug"))
        opened.append(store)
        return store

    yield open_empty
    for store in opened:
        store.close()


@pytest.fixture
def store(fresh_store: Callable[[], GraphStore]) -> GraphStore:
    """An empty store of the tested engine."""
    return fresh_store()


def empty_neo4j(address: str) -> None:
    """Deletes every node of a test server."""
    from neo4j import GraphDatabase

    with GraphDatabase.driver(address) as driver, driver.session() as session:
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS").consume()


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real test data, which is too large for the repository.

    Tests that need it skip if it is absent, and name it.
    """
    folder = Path(os.environ.get("CITESCAPE_DATA") or ROOT.parent / "shared" / "data")
    if not folder.exists():
        pytest.skip(f"no real test data at {folder}; set CITESCAPE_DATA")
    return folder
