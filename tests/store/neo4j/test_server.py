"""Separate servers: with authentication, and killed during a write."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from citescape.core.errors import StoreError, TransientStoreError
from citescape.store.graph_store import Change, GraphStore, open_store
from citescape.store.neo4j import adapter as adapter
from citescape.store.neo4j.address import PASSWORD_VARIABLE, USER_VARIABLE
from citescape.store.schema import TABLE
from tests.neo4j.server import Neo4jServer

SECRET = "swordfish-42"


@pytest.fixture(scope="module")
def guarded(neo4j_server: Neo4jServer) -> Iterator[Neo4jServer]:
    """A server that requires a password; without Neo4j, `neo4j_server` skips."""
    with Neo4jServer(password=SECRET, heap="300m") as server:
        yield server


@pytest.fixture(autouse=True)
def _no_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in (USER_VARIABLE, PASSWORD_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))


def format_with_locals(error: BaseException) -> str:
    """The traceback with variables of all frames except the tests', including causes that are not
    printed.
    """
    shown = []
    part: BaseException | None = error
    while part is not None:
        summary = traceback.TracebackException.from_exception(part, capture_locals=True)
        frames = [frame for frame in summary.stack if "/tests/" not in frame.filename]
        shown += [*summary.format_exception_only(), *traceback.StackSummary(frames).format()]
        part = part.__cause__ or part.__context__
    return "".join(shown)


def keywords(first: int, count: int) -> Change:
    ids = [f"k{i}" for i in range(first, first + count)]
    return Change("insert", "Keyword", pa.table({"id": ids, "text": ids}, TABLE["Keyword"].arrow))


def count(store: GraphStore) -> int:
    (number,) = store.read("MATCH (k:Keyword) RETURN count(k) AS n")["n"].to_pylist()
    assert isinstance(number, int)
    return number


@pytest.mark.parametrize("password", [None, "wrong-" + SECRET])
def test_refused_credentials_name_the_variables_and_never_the_password(
    guarded: Neo4jServer, monkeypatch: pytest.MonkeyPatch, password: str | None
) -> None:
    if password:
        monkeypatch.setenv(PASSWORD_VARIABLE, password)
    with pytest.raises(StoreError, match=f"set {USER_VARIABLE} and {PASSWORD_VARIABLE}") as caught:
        open_store(guarded.uri)
    assert not isinstance(caught.value, TransientStoreError)
    assert "\n" not in str(caught.value)
    assert SECRET not in format_with_locals(caught.value)


def test_the_right_password_opens_the_store_and_is_never_shown(
    guarded: Neo4jServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(USER_VARIABLE, "neo4j")
    monkeypatch.setenv(PASSWORD_VARIABLE, SECRET)
    store = open_store(guarded.uri.replace("bolt:", "neo4j:"))
    assert store.location == guarded.uri.replace("bolt:", "neo4j:")
    assert SECRET not in repr(store) + repr(vars(store))
    with pytest.raises(StoreError) as caught:
        store.read("RETURN 1 / 0 AS n")
    assert SECRET not in format_with_locals(caught.value)
    store.close()
    with pytest.raises(StoreError):
        count(store)


def test_the_netrc_file_opens_the_store(guarded: Neo4jServer, tmp_path: Path) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text(f"machine 127.0.0.1 login neo4j password {SECRET}\n")
    netrc.chmod(0o600)
    open_store(guarded.uri).close()


def test_a_missing_database_is_reported(
    guarded: Neo4jServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSWORD_VARIABLE, SECRET)
    open_store(f"{guarded.uri}/neo4j").close()
    with pytest.raises(StoreError, match="there is no such database; name an existing one"):
        open_store(f"{guarded.uri}/papers")


def test_acknowledged_writes_survive_a_killed_server(
    guarded: Neo4jServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last test of this module: it kills the server that the others share."""
    monkeypatch.setattr(adapter, "_RETRY_SECONDS", 0.5)
    monkeypatch.setattr(adapter, "_BATCH_ROWS", 1_000)
    monkeypatch.setenv(PASSWORD_VARIABLE, SECRET)
    store = open_store(guarded.uri)
    store.apply([keywords(0, 9_000)])
    stream = store.read_batches("UNWIND range(1, 100000000) AS i RETURN i")
    next(stream)
    guarded.kill()
    with pytest.raises(TransientStoreError, match=r"127\.0\.0\.1"):
        for _ in stream:
            pass
    with pytest.raises(TransientStoreError, match="docker compose up -d"):
        store.apply([keywords(9_000, 10)])
    store.close()
    with Neo4jServer(guarded.home, password=SECRET) as server:
        store = open_store(server.uri)
        assert count(store) == 9_000
        store.apply([keywords(8_990, 20)])
        assert count(store) == 9_010
        store.close()
