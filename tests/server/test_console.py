"""The call of the Cypher console: answers, refusals, and a query that ends with its client."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import pytest
from starlette.testclient import TestClient

from citescape.corpus import open_corpus
from citescape.sandbox import console as module
from citescape.sandbox.console import MOST_ROWS, Console
from citescape.sandbox.process import Child
from citescape.server.app import make_app
from citescape.server.graph import ServedGraph
from citescape.store.queries import queries_for_people
from citescape.store.schema import NODES, RELS
from tests.required import skip_outside_ci
from tests.sandbox.test_confine import wait_until_gone
from tests.sandbox.test_console import ENDLESS
from tests.server.conftest import HOST, TOKEN
from tests.server.pages.conftest import serve


@pytest.fixture(scope="module")
def session(store_file: Path) -> Iterator[TestClient]:
    """A session with the explorer, whose processes end with it."""
    with ServedGraph(str(store_file)) as graph:
        app = make_app(graph, token=TOKEN, hosts=("127.0.0.1",))
        with TestClient(app, base_url=HOST) as client:
            client.get(f"/?token={TOKEN}")
            client.headers["X-Citescape"] = "1"
            if off := client.post("/api/console/state").json()["off"]:
                skip_outside_ci(off)
            yield client


def test_the_page_gets_limits_schema_and_queries(session: TestClient) -> None:
    state = session.post("/api/console/state").json()
    assert (state["off"], state["dialect"]) == ("", "ladybug")
    assert state["limits"]["most_rows"] == MOST_ROWS
    assert [node["name"] for node in state["nodes"]] == [node.name for node in NODES]
    assert [rel["name"] for rel in state["relationships"]] == [rel.name for rel in RELS]
    listed = {query["name"] for query in state["queries"]}
    assert {"explore/most_important", "explore/totals"} < listed
    assert listed < {query.name for query in queries_for_people()}
    assert "id" in state["nodes"][0]["properties"]


def test_a_named_query_of_the_page_runs_with_its_defaults(session: TestClient) -> None:
    queries = session.post("/api/console/state").json()["queries"]
    (query,) = [query for query in queries if query["name"] == "explore/most_cited"]
    assert [each["name"] for each in query["parameters"]] == ["limit"]
    answer = session.post("/api/console", json={"text": query["text"], "params": {"limit": 3}})
    assert len(answer.json()["rows"]) == 3
    assert session.post("/api/console", json={"text": query["text"]}).status_code == 200


def test_an_answer_has_columns_rows_and_its_cap(session: TestClient) -> None:
    text = "UNWIND range(1, 5) AS x RETURN x, 'a' AS y"
    answer = session.post("/api/console", json={"text": text, "rows": 2}).json()
    assert (answer["columns"], answer["rows"]) == (["x", "y"], [[1, "a"], [2, "a"]])
    assert (answer["capped"], answer["warnings"]) == ("rows", [])
    assert answer["seconds"] > 0


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "expected the statement as text"),
        ({"text": 1}, "expected the statement as text"),
        ({"text": ""}, "the statement is empty"),
        ({"text": "RETURN 1", "rows": 0}, "expected 1 to"),
        ({"text": "RETURN 1", "rows": "9"}, "another type"),
        ({"text": "RETURN 1", "rows": True}, "another type"),
        ({"text": "RETURN 1", "params": []}, "another type"),
        ({"text": "RETURN 1", "seconds": 1e9}, "expected up to"),
        ({"text": "RETURN 1", "seconds": float("nan")}, "expected up to"),
        ({"text": "RETURN 1", "write": True}, "no setting 'write'"),
        ({"text": "RETURN 1", "timeout": 0}, "no setting 'timeout'"),
        ({"text": "RETURN 1", "cancellation": 0}, "no setting"),
        ({"text": "RETURN $x"}, "needs parameter"),
        ({"text": "CALL timeout=0"}, "found CALL timeout"),
        ({"text": "LOAD FROM '/etc/passwd' RETURN *"}, "expected one statement that only reads"),
    ],
)
def test_errors_are_sentences(session: TestClient, body: dict[str, Any], message: str) -> None:
    answer = session.post("/api/console", content=json.dumps(body))
    assert answer.status_code == 400
    assert message in answer.json()["error"]
    assert "Traceback" not in answer.text
    assert "citescape-" not in answer.text  # the folder of the snapshot


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("MATCH (p:Paper)\n  DELETE p", (2, 3)),
        ("MATCH (p:Paper)\nRETURN p.title,", (2, 16)),
        ("RETURN nosuch(1)", None),
    ],
)
def test_an_error_has_its_place(
    session: TestClient, text: str, place: tuple[int, int] | None
) -> None:
    error = session.post("/api/console", json={"text": text}).json()
    assert (error.get("line"), error.get("column")) == (place or (None, None))


def test_a_query_of_10_mb_is_refused(session: TestClient) -> None:
    text = "RETURN 1 // " + "x" * (10 << 20)
    assert session.post("/api/console", json={"text": text}).status_code == 413
    assert session.post("/api/console", json={"text": "RETURN 1 AS x"}).json()["rows"] == [[1]]


def test_a_query_that_takes_too_long_is_stopped(session: TestClient) -> None:
    answer = session.post("/api/console", json={"text": ENDLESS, "seconds": 0.3})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("stopped after 0.3 s, the time limit")


def test_too_many_queries_are_told_to_wait(
    session: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(self: Console, *_: object, **__: object) -> None:
        raise module.BusyError("3 queries run already")

    monkeypatch.setattr(Console, "run", run)
    assert session.post("/api/console", json={"text": "RETURN 1"}).status_code == 503


def test_a_console_without_a_sandbox_says_why(
    session: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Console, "check", lambda _: "there is no sandbox: no Landlock")
    assert session.post("/api/console/state").json()["off"] == "there is no sandbox: no Landlock"


def test_nobody_else_can_run_a_query(stranger: TestClient) -> None:
    query = {"text": "RETURN 1"}
    assert stranger.post("/api/console", json=query).status_code == 401
    assert stranger.post("/api/console/state").status_code == 401
    stranger.get(f"/?token={TOKEN}")
    assert stranger.post("/api/console", json=query).status_code == 403  # without the header
    foreign = {"X-Citescape": "1", "Sec-Fetch-Site": "cross-site"}
    assert stranger.post("/api/console", json=query, headers=foreign).status_code == 403
    assert stranger.get("/api/console").status_code in (404, 405)


def test_a_client_that_disconnects_ends_its_query(
    store_file: Path, monkeypatch: pytest.MonkeyPatch, session: TestClient
) -> None:
    """Checked by the number of the process."""
    asked: list[int] = []
    ask = Child.ask

    def note(self: Child, request: Any, **limits: Any) -> dict[str, Any]:
        asked.append(self.pid)
        return ask(self, request, **limits)

    monkeypatch.setattr(Child, "ask", note)
    with ServedGraph(str(store_file)) as graph, serve(graph) as address:
        host = address.removeprefix("http://").partition("/")[0]
        body = json.dumps({"text": ENDLESS, "seconds": 300})
        name, _, port = host.partition(":")
        with socket.create_connection((name, int(port))) as link:
            link.sendall(f"GET /?token={TOKEN} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            answer = link.recv(1 << 16).decode()
            cookie = answer.partition("set-cookie: ")[2].partition(";")[0]
            head = (
                f"POST /api/console HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n"
                f"X-Citescape: 1\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            link.sendall(f"{head}{body}".encode())
            link.settimeout(0.2)
            while not asked:
                with pytest.raises(TimeoutError):
                    link.recv(1)
        wait_until_gone(asked[0])


def test_a_new_snapshot_is_read(store_file: Path, tmp_path: Path, session: TestClient) -> None:
    path = str(copy(store_file, tmp_path / "own.lbug"))
    count = "MATCH (p:Paper) RETURN count(*) AS n"
    with ServedGraph(path) as graph, Console(lambda: graph.reading) as console:
        console.check()
        ((before,),) = console.run(count).rows
        with open_corpus(path) as corpus:
            corpus.cypher("CREATE (:Paper {id: 'doi:10.1/new'})", write=True)
        assert console.run(count).rows == [[before]]
        graph.refresh()
        assert console.run(count).rows == [[before + 1]]
