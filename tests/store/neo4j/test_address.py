"""Addresses, credentials and errors of a Neo4j store, without a server."""

from __future__ import annotations

import socket
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

import citescape
from citescape.core.errors import CitescapeError, ConfigError, StoreError, TransientStoreError
from citescape.store.graph_store import open_store
from citescape.store.neo4j.address import (
    PASSWORD_VARIABLE,
    USER_VARIABLE,
    Credentials,
    find_credentials,
    parse_address,
)

SECRET = "swordfish-42"


@pytest.fixture(autouse=True)
def _no_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ignores environment and netrc file of the user who runs the tests."""
    for name in (USER_VARIABLE, PASSWORD_VARIABLE, "NETRC"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.fixture
def answering() -> Iterator[Callable[[bytes], str]]:
    """A function that starts a server with a fixed response."""
    sockets = []

    def start(answer: bytes) -> str:
        listening = socket.create_server(("127.0.0.1", 0))
        sockets.append(listening)

        def serve() -> None:
            while True:
                try:
                    with listening.accept()[0] as connection:
                        connection.recv(100)
                        connection.sendall(answer)
                except OSError:
                    return

        threading.Thread(target=serve, daemon=True).start()
        return f"bolt://127.0.0.1:{listening.getsockname()[1]}"

    yield start
    for listening in sockets:
        listening.close()


def write_netrc(folder: Path, text: str, *, mode: int = 0o600) -> Path:
    path = folder / ".netrc"
    path.write_text(text)
    path.chmod(mode)
    return path


def format_with_locals(error: BaseException) -> str:
    """The traceback with local variables of all frames except the test's own, as rich prints it."""
    shown = []
    part: BaseException | None = error
    while part is not None:
        summary = traceback.TracebackException.from_exception(part, capture_locals=True)
        frames = [frame for frame in summary.stack if frame.filename != __file__]
        shown += [*summary.format_exception_only(), *traceback.StackSummary(frames).format()]
        part = part.__cause__ or (None if part.__suppress_context__ else part.__context__)
    return "".join(shown)


def test_an_address_has_host_port_and_optional_database() -> None:
    address = parse_address("bolt://graph.example:7000/papers")
    assert (address.host, address.port, address.database) == ("graph.example", 7000, "papers")
    assert address.uri == "bolt://graph.example:7000"
    assert parse_address("neo4j+s://graph.example").port == 7687
    assert parse_address("neo4j+s://graph.example").database is None
    assert parse_address("neo4j://graph.example?policy=eu").uri == "neo4j://graph.example?policy=eu"
    assert parse_address("bolt://[::1]:7000").host == "::1"
    assert parse_address("bolt://graph_db/papers/").database == "papers"


@pytest.mark.parametrize(
    ("location", "message"),
    [
        ("http://localhost:7474", "expected one of: bolt, bolt+s, "),
        ("bolt://", "expected bolt://HOST"),
        ("bolt://localhost:70000", "'bolt://localhost:70000' is not a Neo4j address"),
        ("bolt://localhost/a/b", "expected bolt://HOST"),
        (f"bolt://neo4j:{SECRET}@localhost", f"set {USER_VARIABLE} and {PASSWORD_VARIABLE}"),
        (f"bolt://neo4j:{SECRET}@localhost:x", f"set {USER_VARIABLE} and {PASSWORD_VARIABLE}"),
        (f"bolt://neo4j:{SECRET}", "'bolt://neo4j:***' is not a Neo4j address"),
    ],
)
def test_invalid_addresses_are_reported_without_secrets(location: str, message: str) -> None:
    with pytest.raises(ConfigError, match=r".") as caught:
        open_store(location)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert SECRET not in str(caught.value)


SPECIAL = "sw@rd/fi:sh-42"
ALMOST = [
    f"bolt:neo4j:{SECRET}@localhost",
    f"bolt:/neo4j:{SECRET}@localhost",
    f"bolt:///neo4j:{SECRET}@localhost",
    f"neo4j:neo4j:{SECRET}@localhost",
    f"neo4j+s:neo4j:{SECRET}@localhost:7687",
    f"NEO4J+SSC:neo4j:{SECRET}@localhost",
    f"BOLT://neo4j:{SECRET}@localhost",
    f"Bolt:neo4j:{SECRET}@localhost",
    f"bolt//neo4j:{SECRET}@localhost",
    f"bolt;//neo4j:{SECRET}@localhost",
    f"neo4j:{SECRET}@localhost:7687",
    f"reader:{SECRET}@localhost",
    f" bolt:neo4j:{SECRET}@localhost",
    f"bolt://neo4j:{SECRET}@localhost ",
    f"\tbolt:neo4j:{SECRET}@localhost\n",
    f"'bolt:neo4j:{SECRET}@localhost'",
    f"bolt:neo4j:{SECRET}",
    f"bolt://neo4j:{SPECIAL}@localhost",
    f"bolt:neo4j:{SPECIAL}@localhost",
    f"bolt://neo4j:{quote(SPECIAL, safe='')}@localhost",
    f"bolt%3A%2F%2Fneo4j%3A{SECRET}%40localhost",
    f"bolt://neo4j%3A{SECRET}%40localhost",
    f"bolt://neo4j:7?{SECRET}@localhost",
    f"bolt://neo4j:7#{SECRET}@localhost",
    f"bolt://neo4j:7/{SECRET}@localhost",
    f"bolt://localhost?password={SECRET}",
    f"neo4j://localhost?policy=eu&password={SECRET}",
    f"neo4j://localhost:7687/papers?{SECRET}",
    f"bolt://localhost#{SECRET}",
    f"bolt://localhost/papers;password={SECRET}",
    f"bolt\uff1a//neo4j\uff1a{SECRET}\uff20localhost",
    f"http://neo4j:{SECRET}@localhost:7474",
]


@pytest.mark.parametrize("location", ALMOST)
@pytest.mark.parametrize("open_", [open_store, citescape.open], ids=["open_store", "open"])
def test_malformed_addresses_create_no_file_and_show_no_password(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    location: str,
    open_: Callable[[str], object],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r".") as caught:
        open_(location)
    assert list(tmp_path.rglob("*")) == []
    assert "\n" not in str(caught.value)
    assert "bolt://HOST" in str(caught.value) or "expected one of: bolt" in str(caught.value)
    for secret in (SECRET, SPECIAL, quote(SPECIAL, safe=""), "fi:sh"):
        assert secret not in format_with_locals(caught.value)


@pytest.mark.parametrize(
    "name", ["corpus.lbug", "neo4j/corpus.lbug", "bolt.lbug", "a@b:c.lbug", "./bolt:a@b.lbug"]
)
def test_other_names_are_paths_of_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with citescape.open(name, create=True) as corpus:
        assert repr(corpus) == f"Corpus({name!r})"
    assert Path(name).is_file()


def test_letter_case_of_a_scheme_does_not_matter() -> None:
    address = parse_address("BOLT://Graph.example:7000/papers")
    assert address.uri == "bolt://Graph.example:7000"
    assert (address.host, address.database) == ("graph.example", "papers")


def test_credentials_come_from_the_environment_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert find_credentials("localhost") is None
    write_netrc(tmp_path, f"machine localhost login reader password {SECRET}\n")
    assert find_credentials("localhost") == Credentials("reader", SECRET)
    assert find_credentials("elsewhere") is None
    monkeypatch.setenv(PASSWORD_VARIABLE, "other")
    assert find_credentials("localhost") == Credentials("neo4j", "other")
    monkeypatch.setenv(USER_VARIABLE, "writer")
    assert find_credentials("localhost") == Credentials("writer", "other")


def test_a_user_without_a_password_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(USER_VARIABLE, "reader")
    with pytest.raises(ConfigError, match=f"{PASSWORD_VARIABLE} is not"):
        find_credentials("localhost")
    write_netrc(tmp_path, f"machine localhost login reader password {SECRET}\n")
    assert find_credentials("localhost") == Credentials("reader", SECRET)


def test_another_netrc_file_may_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = write_netrc(tmp_path, f"default login any password {SECRET}\n").rename(tmp_path / "n")
    monkeypatch.setenv("NETRC", str(path))
    assert find_credentials("localhost") == Credentials("any", SECRET)


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        (f"machine localhost login reader {SECRET} {SECRET}\n", 0o600),
        (f"machine localhost login reader password {SECRET}\n", 0o644),
    ],
)
def test_a_damaged_or_readable_netrc_is_reported_without_its_content(
    tmp_path: Path, text: str, mode: int
) -> None:
    path = write_netrc(tmp_path, text, mode=mode)
    with pytest.raises(ConfigError, match="chmod 600") as caught:
        find_credentials("localhost")
    assert str(path) in str(caught.value)
    assert SECRET not in format_with_locals(caught.value)


def test_credentials_do_not_show() -> None:
    assert SECRET not in f"{Credentials('neo4j', SECRET)!r} {Credentials('neo4j', SECRET)!s}"


@pytest.mark.parametrize("scheme", ["bolt", "neo4j", "bolt+s"])
def test_an_unreachable_server_is_reported_with_host_port_and_advice(
    monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.setenv(PASSWORD_VARIABLE, SECRET)
    with pytest.raises(TransientStoreError, match=r"127\.0\.0\.1 port 1 ") as caught:
        open_store(f"{scheme}://127.0.0.1:1")
    assert "docker compose up -d" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert SECRET not in format_with_locals(caught.value)


def test_an_unknown_host_is_reported() -> None:
    with pytest.raises(TransientStoreError, match=r"nowhere\.invalid port 7687"):
        open_store("bolt://nowhere.invalid")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "web port"),
        (b"\0\0\0\0", "expected Neo4j 5.26 or later"),
        (b"", "cannot reach Neo4j"),
    ],
)
def test_a_server_that_is_not_neo4j_is_reported(
    answering: Callable[[bytes], str], answer: bytes, message: str
) -> None:
    with pytest.raises(StoreError, match=message) as caught:
        open_store(answering(answer))
    assert isinstance(caught.value, CitescapeError)
    assert "\n" not in str(caught.value)


def test_a_silent_port_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citescape.store.neo4j.adapter._CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(TransientStoreError, match="another program than Neo4j") as caught:
            open_store(f"bolt://127.0.0.1:{port}")
    assert "Deadline" not in str(caught.value)
