"""The Neo4j store on a real server: schema, reads, writes and errors of the server."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import islice

import neo4j
import pyarrow as pa
import pytest
from neo4j.exceptions import Neo4jError

from citescape.core.errors import ConfigError, SchemaVersionError, StoreError
from citescape.store.graph_store import Change, open_store
from citescape.store.neo4j import adapter as adapter
from citescape.store.neo4j.adapter import Neo4jStore
from citescape.store.neo4j.statements import by_position, delete_text, insert_text, update_text
from citescape.store.schema import NODES, SCHEMA_VERSION, TABLE, NodeTable, RelTable
from citescape.store.state import write_meta
from tests.conftest import empty_neo4j
from tests.neo4j.server import CHOSEN, CURRENT, Neo4jServer

COUNT = "MATCH (n:Keyword) RETURN count(n) AS n"


@pytest.fixture(params=["neo4j_server", *["current_neo4j_server"] * (CHOSEN is not CURRENT)])
def address(request: pytest.FixtureRequest) -> str:
    """A server without data."""
    server: Neo4jServer = request.getfixturevalue(request.param)
    empty_neo4j(server.uri)
    return server.uri


@pytest.fixture
def graph(address: str) -> Iterator[Neo4jStore]:
    store = Neo4jStore.open(address)
    yield store
    store.close()


@pytest.fixture
def session(address: str) -> Iterator[neo4j.Session]:
    """A session of the driver: another program on the same server."""
    with neo4j.GraphDatabase.driver(address) as driver, driver.session() as opened:
        yield opened


def keywords(*ids: str, text: str | None = None) -> pa.Table:
    return pa.table({"id": list(ids), "text": [text or i for i in ids]}, TABLE["Keyword"].arrow)


def number(graph: Neo4jStore, text: str = COUNT) -> int:
    (value,) = graph.read(text)["n"].to_pylist()
    assert isinstance(value, int)
    return value


# --- opening ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "supported"),
    {
        "Neo4j/4.4.41": False,
        "Neo4j/5.3.0": False,
        "Neo4j/5.25.1": False,
        "Neo4j/5.26.0": True,
        "Neo4j/5.27-aura": True,
        "Neo4j/2025.01.0": True,
        "Neo4j/2026.08.1": True,
        "Neo4j/v5.26.0 compatible graph database server - Memgraph": False,
    }.items(),
)
def test_servers_from_5_26_on_are_supported(agent: str, supported: bool) -> None:
    assert adapter.is_supported(agent) == supported


def test_constraints_and_indexes_are_created_once(address: str, session: neo4j.Session) -> None:
    for name in session.run("SHOW CONSTRAINTS YIELD name RETURN name").value():
        session.run(f"DROP CONSTRAINT `{name}`").consume()
    Neo4jStore.open(address).close()
    shown = "SHOW INDEXES YIELD id, name, state, labelsOrTypes, properties, owningConstraint"
    first = session.run(shown).data()
    Neo4jStore.open(address).close()
    assert session.run(shown).data() == first
    unique = {i["labelsOrTypes"][0]: i["properties"] for i in first if i["owningConstraint"]}
    assert unique == {table.name: ["id"] for table in NODES}
    papers = [i["properties"] for i in first if i["labelsOrTypes"] == ["Paper"]]
    assert sorted(papers) == [["doi"], ["id"], ["pmcid"], ["pmid"]]
    assert {i["state"] for i in first} == {"ONLINE"}


def test_other_data_in_the_database_are_not_changed(address: str, session: neo4j.Session) -> None:
    session.run("CREATE (:Customer {id: 'c'})-[:CITES]->(:Discarded {id: 'd'})").consume()
    store = Neo4jStore.open(address)
    store.apply([Change("run", "ingest/delete_occurrences", pa.table({"id": ["x"]}))])
    store.close()
    result = session.run("MATCH (:Customer)-[x:CITES]->(:Discarded) RETURN count(x)").single()
    assert result is not None
    assert result[0] == 1


def test_labels_used_by_other_data_are_refused(address: str, session: neo4j.Session) -> None:
    session.run("UNWIND [1, 2] AS i CREATE (:Paper {sheets: i}), (:Venue)").consume()
    with pytest.raises(StoreError, match=r"\(2 Paper, 2 Venue\); use another database"):
        Neo4jStore.open(address)
    assert sorted(session.run("MATCH (p:Paper) RETURN p.sheets").value()) == [1, 2]


@pytest.mark.parametrize("options", [{"create": False}, {"read_only": True}])
def test_a_database_without_a_graph_names_the_command(
    address: str, session: neo4j.Session, options: dict[str, bool]
) -> None:
    with pytest.raises(StoreError, match=r"holds no citescape graph; .* `platform ingest PATH"):
        open_store(address, **options)
    assert session.run("MATCH (n) RETURN n").data() == []


def test_another_schema_version_is_refused(graph: Neo4jStore) -> None:
    write_meta(graph, "schema_version", str(SCHEMA_VERSION + 1))
    with pytest.raises(SchemaVersionError, match="update citescape"):
        open_store(graph.location)


def test_a_store_open_for_reading_refuses_to_write(graph: Neo4jStore) -> None:
    graph.apply([Change("insert", "Keyword", keywords("a"))])
    reader = open_store(graph.location, read_only=True)
    for attempt in (
        lambda: reader.write("CREATE (:Keyword {id: 'b'})"),
        lambda: reader.run("MATCH (k:Keyword) DELETE k RETURN 1 AS n"),
        lambda: reader.apply([Change("delete", "Keyword", keywords("a"))]),
    ):
        with pytest.raises(StoreError, match="read-only"):
            attempt()
    assert reader.read(COUNT)["n"].to_pylist() == [1]
    reader.close()


def test_the_location_is_the_given_address(graph: Neo4jStore, address: str) -> None:
    assert graph.location == address
    assert repr(graph) == f"Neo4jStore('{address}')"


# --- reading ---------------------------------------------------------------------------------


def test_batches_are_streamed_and_can_be_closed_early(
    graph: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "_FETCH_ROWS", 1_000)
    text = "UNWIND range(1, 2500) AS i RETURN i, toString(i) AS s, null AS nothing"
    batches = list(graph.read_batches(text.replace("null", "toString(null)")))
    assert [batch.num_rows for batch in batches] == [1_000, 1_000, 500]
    whole = graph.read(text)
    assert whole.num_rows == 2_500
    assert whole.schema == pa.schema({"i": pa.int64(), "s": pa.string(), "nothing": pa.string()})
    endless = graph.read_batches("UNWIND range(1, 100000000) AS i RETURN i")
    started = time.monotonic()
    assert sum(batch.num_rows for batch in islice(endless, 2)) == 2_000
    endless.close()  # type: ignore[attr-defined]
    assert number(graph) == 0
    assert time.monotonic() - started < 20


def test_two_streams_and_a_write_do_not_disturb_each_other(
    graph: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "_FETCH_ROWS", 1_000)
    text = "UNWIND range(1, 3000) AS i RETURN i + $more AS i"
    first, second = graph.read_batches(text, more=0), graph.read_batches(text, more=1)
    for a, b in zip(first, second, strict=True):
        assert b["i"][0].as_py() == a["i"][0].as_py() + 1
        graph.apply([Change("insert", "Keyword", keywords(str(a["i"][0])))])
    assert number(graph) == 3


def test_nodes_and_paths_are_maps_as_on_ladybug(graph: Neo4jStore) -> None:
    graph.write(
        "CREATE (:Venue {id: 'v', title: 'T', extra: 1})<-[:PUBLISHED_IN]-(:Paper {id: 'p'})"
    )
    rows = graph.read("MATCH (v:Venue) RETURN v").to_pylist()
    venue = {"_LABEL": "Venue", "id": "v", "title": "T", "issn": None, "extra": 1}
    assert rows == [{"v": {"_ID": rows[0]["v"]["_ID"], **venue}}]
    (path,) = graph.read("MATCH x = (:Paper)-[:PUBLISHED_IN]->(:Venue) RETURN x").to_pylist()
    assert [node["_LABEL"] for node in path["x"]["_NODES"]] == ["Paper", "Venue"]
    (published,) = path["x"]["_RELS"]
    ends = [published["_SRC"], published["_DST"]]
    assert ends == [node["_ID"] for node in path["x"]["_NODES"]]
    assert published["_LABEL"] == "PUBLISHED_IN"
    (row,) = graph.read(
        "RETURN date('2020-02-01') AS d, duration('P1D') AS l, point({x: 1, y: 2}) AS p, "
        "{a: [1]} AS m"
    ).to_pylist()
    assert (str(row["d"]), row["l"], row["m"]) == ("2020-02-01", "P1D", {"a": [1]})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("MATCH (n RETURN n", "Invalid input 'RETURN'"),
        ("MATCH (n) RETURN m", "Variable `m` not defined"),
        ("RETURN 1 / 0 AS n", "/ by zero"),
    ],
)
def test_errors_in_cypher_are_reported_in_one_line(
    graph: Neo4jStore, text: str, message: str
) -> None:
    with pytest.raises(StoreError) as caught:
        graph.read(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "gql_status" not in str(caught.value)


def test_a_missing_parameter_never_reaches_the_server(graph: Neo4jStore) -> None:
    with pytest.raises(ConfigError, match=r"needs parameter \$x"):
        graph.read("RETURN $x AS x")
    with pytest.raises(ConfigError, match="needs column colour; given: id, text"):
        graph.write(
            "UNWIND $rows AS row MERGE (k:Keyword {id: row.id}) SET k.c = row.colour", keywords("a")
        )


# --- writing ---------------------------------------------------------------------------------


def test_changes_may_be_applied_twice(graph: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_BATCH_ROWS", 500)
    ids = [f"k{i}" for i in range(2_300)]
    papers = pa.table({name: pa.nulls(2, t) for name, t in TABLE["Paper"].columns.items()})
    papers = papers.append_column("id", pa.array(["p", "q"]))
    ends = pa.table({"from": ["p"] * len(ids), "to": ids, "text": ids})
    changes = [
        Change("insert", "Keyword", keywords(*ids)),
        Change("insert", "Paper", papers),
        Change("insert", "HAS_KEYWORD", ends),
        Change("delete", "HAS_KEYWORD", ends.slice(0, 3)),
        Change("delete", "Keyword", keywords("k5")),
    ]
    for _ in range(2):
        graph.apply(changes)
        assert number(graph) == 2_299
        assert number(graph, "MATCH (:Paper)-[x:HAS_KEYWORD]->() RETURN count(x) AS n") == 2_296


def test_update_sets_only_the_given_columns(graph: Neo4jStore) -> None:
    rows = pa.table({"id": ["v"], "title": ["Old"], "issn": ["1"]})
    graph.apply([Change("insert", "Venue", rows)])
    rows = pa.table({"id": ["v", "w"], "title": [None, "New"]})
    graph.apply([Change("update", "Venue", rows)])
    result = graph.read("MATCH (v:Venue) RETURN v.id AS id, v.title AS title, v.issn AS issn")
    assert result.to_pylist() == [{"id": "v", "title": None, "issn": "1"}]


def test_rows_that_name_missing_nodes_are_refused(graph: Neo4jStore) -> None:
    pairs = pa.table({"from": ["a", "a"], "to": ["b", "c"]})
    with pytest.raises(StoreError, match="2 of 2 rows of SUBSECTION_OF name nodes that do not"):
        graph.apply([Change("insert", "SUBSECTION_OF", pairs)])


def test_atomic_changes_happen_together_or_not_at_all(
    graph: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "_BATCH_ROWS", 500)
    good = Change("insert", "Keyword", keywords(*map(str, range(2_400))))
    bad = Change("insert", "SUBSECTION_OF", pa.table({"from": ["a"], "to": ["b"]}))
    with pytest.raises(StoreError, match="nothing of this step was written"):
        graph.apply([good, bad], atomic=True)
    assert number(graph) == 0
    graph.apply([good], atomic=True)
    assert number(graph) == 2_400


def test_a_statement_may_open_its_own_transactions(graph: Neo4jStore) -> None:
    graph.apply([Change("insert", "Keyword", keywords("a", "b"))])
    graph.write("MATCH (k:Keyword) CALL (k) { DELETE k } IN TRANSACTIONS OF 1 ROW")
    assert number(graph) == 0


def test_writes_use_indexes_also_in_an_empty_store(graph: Neo4jStore) -> None:
    """Plans depend on the current data; a scan chosen now would be kept for long."""
    for table in TABLE.values():
        for text in written(table):
            assert not {name for name in operators(graph, text) if "Scan" in name}, text


def written(table: NodeTable | RelTable) -> list[str]:
    names = table.arrow.names
    update = [update_text(table, names)] if table.columns else []
    return [by_position(t, names) for t in (insert_text(table), delete_text(table), *update)]


def operators(graph: Neo4jStore, text: str) -> list[str]:
    """Operators of the server's plan for a statement over rows."""
    with graph._session() as session:  # a plan is not a table
        plan = session.run(f"EXPLAIN {text}", {"rows": []}).consume().plan
    assert plan is not None
    names, left = [], [plan]
    while left:
        names.append(str(left[-1]["operatorType"]).partition("@")[0])
        left += left.pop().get("children", [])
    return names


# --- what a server does ----------------------------------------------------------------------


def failing(code: str, times: int) -> tuple[list[int], object]:
    """A replacement of `_run_batches` that fails at first, as a server would."""
    calls: list[int] = []
    original = adapter._run_batches

    def run(*arguments):  # type: ignore[no-untyped-def]
        calls.append(1)
        if len(calls) <= times:
            raise Neo4jError._hydrate_neo4j(code=code, message="by the test")
        return original(*arguments)

    return calls, run


def test_a_deadlock_is_retried(graph: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, run = failing("Neo.TransientError.Transaction.DeadlockDetected", 1)
    monkeypatch.setattr(adapter, "_run_batches", run)
    graph.apply([Change("insert", "Keyword", keywords("a"))], atomic=True)
    assert len(calls) == 2
    assert number(graph) == 1


def test_a_real_deadlock_loses_nothing(graph: Neo4jStore, session: neo4j.Session) -> None:
    """Another program locks b, the store locks a and waits for b, and the other program wants a."""
    graph.apply([Change("insert", "Keyword", keywords("a", "b"))])
    lock = "MATCH (k:Keyword {id: $id}) SET k.text = 'other'"
    other = session.begin_transaction()
    other.run(lock, id="b").consume()
    change = Change("update", "Keyword", keywords("a", "b", text="ours"))
    thread = threading.Thread(target=graph.apply, args=([change],), kwargs={"atomic": True})
    thread.start()
    while not number(
        graph,
        "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN count(*) AS n",
    ):
        time.sleep(0.05)
    try:
        other.run(lock, id="a").consume()
        other.commit()
    except neo4j.exceptions.TransientError:
        other.close()
    thread.join(30)
    assert not thread.is_alive()
    result = graph.read("MATCH (k:Keyword) RETURN DISTINCT k.text AS text")["text"]
    assert result.to_pylist() == ["ours"]


def test_a_too_large_transaction_is_not_retried(
    graph: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, run = failing("Neo.TransientError.General.MemoryPoolOutOfMemoryError", 99)
    monkeypatch.setattr(adapter, "_run_batches", run)
    with pytest.raises(StoreError, match=r"raise its heap .* or load fewer papers per batch"):
        graph.apply([Change("insert", "Keyword", keywords("a"))], atomic=True)
    assert len(calls) == 1


def test_a_server_out_of_memory_is_reported(graph: Neo4jStore) -> None:
    with pytest.raises(StoreError, match="raise its heap"):
        graph.read(
            "UNWIND range(1, 100000000) AS i WITH collect(toString(i)) AS c RETURN size(c) AS n"
        )
    assert number(graph) == 0
