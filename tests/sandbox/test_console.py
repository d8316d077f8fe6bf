"""Queries in the console: rows as elsewhere, and attacks that the list or the process stops."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citescape.core.errors import (
    BusyError,
    CitescapeError,
    ConfigError,
    QueryCancelledError,
    QueryTimeoutError,
    StoreError,
)
from citescape.corpus import open_corpus
from citescape.sandbox import console as module
from citescape.sandbox.console import MOST_ROWS, Cancellation, Console
from citescape.sandbox.process import Child
from citescape.store.graph_store import open_store
from tests.conftest import empty_neo4j
from tests.neo4j.server import Neo4jServer
from tests.sandbox.graph import write_graph
from tests.sandbox.test_confine import wait_until_gone

ENDLESS = "UNWIND range(1, 10000000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b) AS n"

ATTACKS = [
    "LOAD FROM '/etc/passwd' (header=false) RETURN *",
    "LOAD WITH HEADERS (x STRING) FROM '/etc/passwd' RETURN *",
    "MATCH (p:Paper) LOAD FROM '/etc/passwd' RETURN *",
    "COPY (MATCH (p:Paper) RETURN p.id) TO '{marker}'",
    "COPY Paper FROM '/etc/passwd'",
    "EXPORT DATABASE '{marker}'",
    "IMPORT DATABASE '{marker}'",
    "CALL TIMEOUT=0",
    "CALL timeout = 0 RETURN 1",
    "CALL threads=64",
    "CALL disk_spill=true",
    "CALL `timeout`=0",
    "CALL home_directory='/'",
    "CALL file_search_path='/etc'",
    "RETURN 1; COPY (RETURN 1) TO '{marker}'",
    "RETURN 1 AS x;;RETURN 2 AS x",
    "; RETURN 1",
    "INSTALL httpfs",
    "INSTALL httpfs FROM 'http://127.0.0.1/'",
    "LOAD EXTENSION httpfs",
    "LOAD httpfs",
    "ATTACH '/etc/passwd' AS x (dbtype sqlite)",
    "DETACH x",
    "USE x",
    "CHECKPOINT",
    "BEGIN TRANSACTION",
    "COMMIT",
    "EXPLAIN COPY (RETURN 1) TO '{marker}'",
    "PROFILE COPY (RETURN 1) TO '{marker}'",
    "PROFILE CREATE (:Paper {{id: 'x'}})",
    "/* MATCH */ COPY (RETURN 1) TO '{marker}' // RETURN",
    "// RETURN 1\nCOPY (RETURN 1) TO '{marker}'",
    "/* /* */ COPY (RETURN 1) TO '{marker}' /* */",
    "`COPY` (RETURN 1) TO '{marker}'",
    "\\u0043OPY (RETURN 1) TO '{marker}'",
    "\u0421OPY (RETURN 1) TO '{marker}'",
    "\uff23\uff2f\uff30\uff39 (RETURN 1) TO '{marker}'",
    "CO\u200bPY (RETURN 1) TO '{marker}'",
    "RETURN '\\u0027 AS x; COPY (RETURN 1) TO \\u0027{marker}\\u0027",
    "RETURN 1 AS as COPY (RETURN 1) TO '{marker}'",
    "CREATE (:Paper {{id: 'x'}})",
    "MATCH (p:Paper) SET p.title = 'x'",
    "MATCH (p:Paper) DETACH DELETE p",
    "MERGE (:Paper {{id: 'x'}})",
    "CREATE NODE TABLE Evil(id STRING PRIMARY KEY)",
    "DROP TABLE CITES",
    "ALTER TABLE Paper ADD evil STRING",
    "CREATE MACRO f(x) AS x + 1",
    "CREATE SEQUENCE s",
    "COMMENT ON TABLE Paper IS 'x'",
    "CALL CREATE_VECTOR_INDEX('Paper', 'x', 'year')",
    "CALL PROJECT_GRAPH('g', ['Paper'], ['CITES'])",
    "CALL read_csv_serial('/etc/passwd') RETURN *",
    "CALL {{ COPY (RETURN 1) TO '{marker}' }} RETURN 1",
    "CALL show_tables() RETURN name; CALL timeout=0",
    "SHOW USERS",
]
"""Statements on ladybug that do more than read."""
NEO4J_ATTACKS = [
    "CALL apoc.load.json('file:///etc/passwd') YIELD value RETURN value",
    "CALL dbms.listConfig() YIELD name RETURN name",
    "CALL dbms.killConnection('bolt-1')",
    "CALL db.createLabel('Evil')",
    "CALL db.createProperty('evil')",
    "CALL db.clearQueryCaches()",
    "CALL { CALL apoc.load.json('http://127.0.0.1/') YIELD value RETURN value } RETURN value",
    "MATCH (p:Paper) CALL (p) { CALL db.createLabel('Evil') } RETURN p",
    "CALL { LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row } RETURN row",
    "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
    "LOAD CSV WITH HEADERS FROM 'http://127.0.0.1/' AS row RETURN row",
    "MATCH (p:Paper) CALL { WITH p SET p.title = 'x' } RETURN p",
    "MATCH (p:Paper) CALL (p) { CREATE (:Evil) } RETURN p",
    "MATCH (p:Paper) CALL (p) { DETACH DELETE p } IN TRANSACTIONS OF 1 ROWS",
    "CALL { MATCH (n) RETURN n } IN 2 CONCURRENT TRANSACTIONS RETURN n",
    "MATCH (p:Paper) FOREACH (x IN [1] | CREATE (:Evil))",
    "\\u0043REATE (:Evil)",
    "MATCH (p:Paper) WHERE p.title <> '\\u0027 CREATE (:Evil) //' RETURN p",
    "RETURN 1 AS x /* \\u002a\\u002f CREATE (:Evil) //*/",
    "RETURN 1 AS x // \\u000aCREATE (:Evil)",
    "PROFILE CREATE (:Evil)",
    "EXPLAIN CREATE (:Evil)",
    "CYPHER 5 PROFILE CREATE (:Evil)",
    "CYPHER runtime=slotted CREATE (:Evil)",
    "USE system SHOW DATABASES",
    "USE system MATCH (n) RETURN n",
    "SHOW USERS",
    "SHOW SETTINGS",
    "SHOW TRANSACTIONS YIELD * TERMINATE TRANSACTIONS 'x'",
    "CREATE INDEX evil FOR (p:Paper) ON (p.title)",
    "DROP CONSTRAINT evil",
    "STOP DATABASE neo4j",
    "RETURN apoc.load.text('/etc/passwd') AS x",
    "RETURN genai.vector.encode('x', 'OpenAI', {token: 'x'}) AS x",
    "MATCH (p:Paper) RETURN p; MATCH (p) DETACH DELETE p",
    "INSERT (:Evil)",
]


@pytest.fixture(scope="module")
def served(neo4j_server: Neo4jServer) -> Iterator[Console]:
    """The console of a server with the same graph."""
    empty_neo4j(neo4j_server.uri)
    store = open_store(neo4j_server.uri)
    write_graph(store)
    store.close()
    with Console(neo4j_server.uri) as console:
        assert console.check() == ""
        yield console


@pytest.fixture(scope="module", params=["ladybug", "neo4j"])
def either(request: pytest.FixtureRequest) -> Console:
    """The console of each engine, on the same graph."""
    name = "console" if request.param == "ladybug" else "served"
    found: Console = request.getfixturevalue(name)
    return found


def test_rows_are_those_of_corpus_cypher(either: Console) -> None:
    text = "MATCH (p:Paper) WHERE p.year >= $since RETURN p.id AS id, p.title AS t ORDER BY id"
    answer = either.run(text, {"since": 2010})
    with open_corpus(either.location, read_only=True) as corpus:
        expected = corpus.cypher(text, since=2010).arrow
    assert answer.columns == expected.column_names
    assert answer.rows == [list(row.values()) for row in expected.to_pylist()]


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_on_ladybug_is_refused(
    attack: str, console: Console, tmp_path: Path, graph_file: Path
) -> None:
    before = hashlib.sha256(graph_file.read_bytes()).digest()
    marker = tmp_path / "marker"
    with pytest.raises(ConfigError, match=r"found .*; expected one statement that only reads"):
        console.run(attack.format(marker=marker))
    assert not marker.exists()
    assert hashlib.sha256(graph_file.read_bytes()).digest() == before


@pytest.mark.parametrize("attack", NEO4J_ATTACKS)
def test_an_attack_on_a_server_is_refused_before_it_is_sent(attack: str) -> None:
    with pytest.raises(ConfigError, match=r"found .*; expected one statement that only reads"):
        Console("bolt://127.0.0.1:9").run(attack)


LADYBUG_ENGINE = [
    "LOAD FROM '/etc/passwd' (header=false, delim='|') RETURN *",
    "COPY (MATCH (p:Paper) RETURN p.id) TO '{marker}.csv'",
    "EXPORT DATABASE '{marker}'",
    "CALL timeout=0; LOAD FROM '/etc/passwd' (delim='|') RETURN *",
    "RETURN 1; LOAD FROM '/etc/passwd' (delim='|') RETURN *",
    "INSTALL httpfs",
    "CHECKPOINT",
    "CREATE (:Paper {{id: 'x'}})",
    "ATTACH '/etc/passwd' AS x (dbtype sqlite)",
]


def test_the_process_alone_stops_attacks(
    console: Console, graph_file: Path, tmp_path: Path
) -> None:
    """Without the list of allowed tokens: what its gaps would let through."""
    before = hashlib.sha256(graph_file.read_bytes()).digest()
    (tmp_path / "outside").write_text("x")
    script = Path(__file__).with_name("trusting.py")
    child = Child(graph_file, tmp_path / "outside", script=script)
    child.wait_until_ready()
    marker = tmp_path / "marker"
    texts = [text.format(marker=marker) for text in LADYBUG_ENGINE]
    outcomes = child.ask({"texts": texts}, seconds=60, size=1 << 20)["outcomes"]
    child.close()
    assert not [text for text in outcomes if "root:" in text]
    refused = [outcome.startswith("RuntimeError") for outcome in outcomes]
    assert dict(zip(LADYBUG_ENGINE, refused, strict=True)) == dict.fromkeys(LADYBUG_ENGINE, True)
    assert {path.name for path in tmp_path.iterdir()} == {"outside"}
    assert hashlib.sha256(graph_file.read_bytes()).digest() == before


FORBIDDEN = (
    "LOAD COPY EXPORT IMPORT INSTALL ATTACH CHECKPOINT CREATE MERGE SET DELETE DETACH DROP ALTER "
    "BEGIN COMMIT USE REMOVE FOREACH COMMENT UNINSTALL"
)
NOISE = st.sampled_from(
    ["/**/", "/*'*/", "//x\n", " ", "\n", "\t", "\u00a0", "'a'", '"b"', "`c`", "(", ")", "[1]",
     "{a: 1}", ";", ",", ".", "=", "1", "1.5", "$x", "x", "RETURN", "MATCH", "WITH", "AS", "WHERE",
     "CASE", "END", "UNION", "\\u0020", "\\", "%", "!", "|", "->", "CALL", "IN", "NOT"]
)  # fmt: skip


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.lists(NOISE, max_size=6),
    word=st.sampled_from(FORBIDDEN.split()),
    after=st.lists(NOISE, max_size=6),
    ends=st.sampled_from(["FROM '/etc/passwd' RETURN *", "(RETURN 1) TO 'x'", "p.x = 1", "'x'"]),
)
def test_a_forbidden_clause_after_any_noise_is_refused(
    before: list[str], word: str, after: list[str], ends: str
) -> None:
    """A statement that begins with reading clauses, then noise, then a clause that does more."""
    text = f"MATCH (p:Paper) WITH p {' '.join(before)}\nRETURN p {word} {' '.join(after)} {ends}"
    with pytest.raises(CitescapeError):
        Console("bolt://127.0.0.1:9")._check_request(text, 1, 1.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the statement is empty"),
        ("  \n", "the statement is empty"),
        ("RETURN $x", "needs parameter"),
        ("RETURN nosuch(1)", "(?i)nosuch"),
        ("RETURN '" + "a" * 100_000 + "'", "expected at most 100,000"),
    ],
)
def test_wrong_statements_are_explained(either: Console, text: str, message: str) -> None:
    with pytest.raises(CitescapeError, match=message) as caught:
        either.run(text)
    assert "graph.lbug" not in str(caught.value)
    assert "Traceback" not in str(caught.value)


def test_limits_have_limits(console: Console) -> None:
    for wrong in ({"rows": 0}, {"rows": MOST_ROWS + 1}, {"seconds": 0}, {"seconds": 1e9}):
        with pytest.raises(ConfigError, match="expected"):
            console.run("RETURN 1", **wrong)


@pytest.mark.parametrize(
    ("value", "message"), [(object(), "that JSON can hold"), ("x" * (4 << 20), "expected at most")]
)
def test_parameters_that_cannot_be_sent_are_refused(
    console: Console, value: object, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        console.run("RETURN $x AS x", {"x": value})


def test_a_parameter_that_is_not_used_is_refused(either: Console) -> None:
    with pytest.raises(CitescapeError, match="unknown parameter y"):
        either.run("RETURN $x AS x", {"x": 1, "y": 2})


def test_a_query_ends_at_its_time_limit_and_the_next_one_runs(either: Console) -> None:
    with pytest.raises(QueryTimeoutError):
        either.run(ENDLESS, seconds=0.3)
    assert either.run("RETURN 1 AS x").rows == [[1]]


def test_a_query_ends_when_it_is_cancelled(either: Console) -> None:
    cancellation = Cancellation()
    timer = threading.Timer(0.3, cancellation.cancel)
    timer.start()
    begun = time.monotonic()
    with pytest.raises(QueryCancelledError):
        either.run(ENDLESS, seconds=200, cancellation=cancellation)
    assert time.monotonic() - begun < 100  # not at its time limit
    assert either.run("RETURN 1 AS x").rows == [[1]]


def test_a_query_that_is_cancelled_before_does_not_run(either: Console) -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    with pytest.raises(QueryCancelledError):
        either.run(ENDLESS, seconds=200, cancellation=cancellation)


@pytest.mark.parametrize(
    "text",
    [
        "UNWIND range(1, 100000000) AS x RETURN collect(x) AS xs",
        "RETURN range(1, 1000000000) AS xs",
    ],
)
def test_a_query_cannot_take_all_memory(console: Console, text: str) -> None:
    with pytest.raises(StoreError, match="needs more memory than the 1,024 MB"):
        console.run(text, seconds=100)
    assert console.run("RETURN 1 AS x").rows == [[1]]


def test_a_value_that_python_does_not_have_is_no_lack_of_memory(console: Console) -> None:
    with pytest.raises(StoreError, match="OverflowError: date value out of range"):
        console.run("RETURN cast('99999-01-01' as date) AS day")
    assert console.run("RETURN 1 AS x").rows == [[1]]


def test_only_so_many_queries_run_at_once(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.05)
    cancellations = [Cancellation() for _ in range(module._AT_ONCE)]
    errors: list[StoreError] = []

    def run(cancellation: Cancellation) -> None:
        try:
            console.run(ENDLESS, seconds=200, cancellation=cancellation)
        except StoreError as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=[each]) for each in cancellations]
    for thread in threads:
        thread.start()
    while console._slots._value:
        time.sleep(0.01)
    with pytest.raises(BusyError, match="queries run already"):
        console.run("RETURN 1")
    for each in cancellations:
        each.cancel()
    for thread in threads:
        thread.join()
    assert [type(error) for error in errors] == [QueryCancelledError] * module._AT_ONCE
    assert console.run("RETURN 1 AS x").rows == [[1]]


def test_a_process_runs_one_query_and_the_next_is_started_ahead(console: Console) -> None:
    console.check()
    first = console._runner._spare
    assert console.run("RETURN 1 AS x").rows == [[1]]
    wait_until_gone(first.pid)
    assert console._runner._spare.pid != first.pid


def test_a_process_that_died_while_it_waited_is_replaced(console: Console) -> None:
    console.check()
    console._runner._spare.kill()
    assert console.run("RETURN 1 AS x").rows == [[1]]


def test_a_closed_console_leaves_no_process(graph_file: Path, console: Console) -> None:
    with Console(str(graph_file)) as own:
        own.check()
        pid = own._runner._spare.pid
    wait_until_gone(pid)


@pytest.mark.parametrize("location", ["absent.lbug", "bolt://127.0.0.1:9"])
def test_a_closed_console_starts_nothing(location: str) -> None:
    """No process and no connection, which nobody would end."""
    closed = Console(location)
    closed.close()
    assert closed.check() == "the console is closed; open another one"
    with pytest.raises(StoreError, match="the console is closed"):
        closed.run("RETURN 1")


def test_a_console_that_closes_ends_its_queries(graph_file: Path, console: Console) -> None:
    own = Console(str(graph_file))
    own.check()
    timer = threading.Timer(0.5, own.close)
    timer.start()
    with pytest.raises(StoreError, match=r"the console (was|is) closed"):
        own.run(ENDLESS, seconds=100)
    timer.join()
    assert not own._runner._running


def test_a_connection_that_comes_back_to_a_closed_console_is_closed() -> None:
    class Connection:
        is_closed = False

        def close(self) -> None:
            self.is_closed = True

    runner, late = module._OnServer("bolt://127.0.0.1:9"), Connection()
    runner.close()
    runner._give_back(late)
    assert late.is_closed
    assert not runner._idle


def test_the_console_is_off_without_a_sandbox(
    graph_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "child.py"
    script.write_text(
        "import os, sys\nsys.stdin.readline()\n"
        'os.write(1, b\'{"failure": "OSError: this kernel has no Landlock"}\\n\')\n'
    )
    monkeypatch.setattr(Child.__init__, "__kwdefaults__", {"script": script})
    with Console(str(graph_file)) as off:
        assert "no Landlock; the console needs Linux 6.2 or later" in off.check()
        assert "run `platform cypher`" in off.check()
        with pytest.raises(ConfigError, match="there is no sandbox"):
            off.run("RETURN 1")


WRITES = ["CREATE (:Evil)", "MATCH (p:Paper) CALL (p) { SET p.x = 1 } RETURN p.id"]


@pytest.mark.parametrize("text", [*WRITES, *(f"PROFILE {text}" for text in WRITES)])
def test_neo4j_a_write_that_the_list_lets_through_is_stopped(
    served: Console, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setattr(module, "find_refusal", lambda *_: None)
    monkeypatch.setattr("citescape.papers.cypher.find_refused", lambda *_: "")
    with pytest.raises(ConfigError, match="according to neo4j"):
        served.run(text)
    count = "MATCH (n) WHERE n:Evil OR n.x IS NOT NULL RETURN count(n) AS n"
    assert served.run(count).rows == [[0]]


def test_neo4j_the_server_ends_a_transaction_that_nobody_ends(served: Console) -> None:
    """With a time limit of its own, some time after that of the console."""
    store = served._runner._take()
    store.time_limit = 0.2
    with pytest.raises(StoreError, match=r"(?i)timed? ?out|time limit|terminated"):
        list(store.read_batches(ENDLESS))
    served._runner._give_back(store)
