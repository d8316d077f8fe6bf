"""Both engines hold the same: any value of any column, and the graph of a generated corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.graph.neo4j import Neo4jStore
from citescape.graph.queries import Query, library
from citescape.graph.resolve import resolve
from citescape.graph.schema import TABLE
from citescape.graph.statements import read_text
from citescape.graph.store import Change, GraphStore, open_store
from tests.conftest import empty_neo4j
from tests.graph.awkward import awkward_tables, by_key
from tests.graph.papers import load, snapshot
from tests.neo4j.server import Neo4jServer

PARAMETERS: dict[str, object] = {"first": 0, "last": 9, "least": 1, "limit": 3}
READS = [q for q in library().values() if not q.writes and "rows" not in q.parameters]


@pytest.fixture(scope="module")
def both(
    neo4j_server: Neo4jServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[GraphStore, GraphStore]]:
    """A ladybug store and a Neo4j store with the same generated corpus, a paper of it corrected."""
    folder = tmp_path_factory.mktemp("both")
    paths = write_corpus(generate_world(papers=40, seed=11), folder / "papers")
    empty_neo4j(neo4j_server.uri)
    stores = (open_store(str(folder / "s.lbug")), open_store(neo4j_server.uri))
    for store in stores:
        load(store, *paths)
    for path in paths[:2]:
        path.write_bytes(
            path.read_bytes().replace(b"</article-title>", b", corrected</article-title>", 1)
        )
    for store in stores:
        assert load(store, *paths).status == {"loaded": 2, "unchanged": 38}
    yield stores
    for store in stores:
        store.close()


def given(query: Query, ids: list[str]) -> dict[str, object]:
    """Values for a query's parameters: lists for names in the plural."""
    return {
        name: PARAMETERS.get(name, ids if name in ("papers", "ids") else ids[0])
        for name in query.parameters
    }


def test_every_table_is_the_same(both: tuple[GraphStore, GraphStore]) -> None:
    ladybug, neo4j = map(snapshot, both)
    for name in TABLE:
        assert neo4j[name] == ladybug[name], name
    assert len(neo4j["CITES"]) > 500
    assert both[1].read("MATCH (n:CitescapeDiscarded) RETURN n.id AS id").num_rows == 0


def test_resolving_again_writes_nothing(
    both: tuple[GraphStore, GraphStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Change] = []
    store = both[1]
    monkeypatch.setattr(store, "apply", lambda changes, **_: written.extend(changes))
    before = snapshot(store)
    resolve(store, report=lambda _: None)
    assert [change for change in written if change.rows.num_rows] == []
    assert snapshot(store) == before


@pytest.mark.parametrize("query", READS, ids=lambda query: query.name)
def test_every_read_of_the_library_gives_the_same(
    both: tuple[GraphStore, GraphStore], query: Query
) -> None:
    ids = both[0].read("MATCH (p:Paper) WHERE p.fulltext RETURN p.id AS id ORDER BY id")["id"]
    ladybug, neo4j = (s.read(query, **given(query, ids.to_pylist()[:9])) for s in both)
    assert neo4j.column_names == ladybug.column_names
    assert sorted(map(repr, neo4j.to_pylist())) == sorted(map(repr, ladybug.to_pylist()))


@pytest.mark.parametrize("query", READS, ids=lambda query: query.name)
def test_columns_have_the_same_types_even_without_rows(
    query: Query, empty: tuple[GraphStore, GraphStore]
) -> None:
    ladybug, neo4j = (s.read(query, **given(query, ["none"])).schema for s in empty)
    assert neo4j.equals(ladybug) or [*map(str_type, neo4j)] == [*map(str_type, ladybug)]


def str_type(field: pa.Field) -> tuple[str, str]:
    """Name and type of a column; ladybug names the entries of lists otherwise."""
    kind = field.type
    return field.name, f"list of {kind.value_type}" if pa.types.is_list(kind) else str(kind)


@pytest.fixture(scope="module")
def empty(
    neo4j_server: Neo4jServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[GraphStore, GraphStore]]:
    """Stores of both engines without rows."""
    empty_neo4j(neo4j_server.uri)
    stores = (
        open_store(str(tmp_path_factory.mktemp("empty") / "s.lbug")),
        open_store(neo4j_server.uri),
    )
    yield stores
    for store in stores:
        store.close()


@pytest.mark.parametrize("query", library().values(), ids=lambda query: query.name)
def test_neo4j_can_plan_every_query(query: Query, empty: tuple[GraphStore, GraphStore]) -> None:
    store = empty[1]
    assert isinstance(store, Neo4jStore)
    params = {**given(query, ["none"]), "rows": []}
    with store._session() as session:  # a plan is no table
        text = query.text_for("neo4j")
        plan = session.run(f"EXPLAIN {text}", params).consume().plan
    assert plan is not None


def test_any_value_comes_back_as_it_was(fresh_store: Callable[[], GraphStore]) -> None:
    store = fresh_store()
    tables = awkward_tables()
    store.apply([Change("insert", name, rows) for name, rows in tables.items()], atomic=True)
    for name, rows in tables.items():
        found = store.read(read_text(TABLE[name]))
        assert by_key(found, name) == by_key(rows, name), name


def test_any_value_can_be_updated(fresh_store: Callable[[], GraphStore]) -> None:
    """Each row takes the values of the next; what becomes null is gone."""
    store = fresh_store()
    tables = awkward_tables()
    store.apply([Change("insert", name, rows) for name, rows in tables.items()])
    for name, rows in tables.items():
        keys = [c for c in ("id", "from", "to") if c in rows.column_names]
        others = [c for c in rows.column_names if c not in keys]
        turned = [(i + 1) % rows.num_rows for i in range(rows.num_rows)]
        moved = pa.table(
            {c: rows[c] if c in keys else rows[c].take(turned) for c in rows.column_names}
        )
        if others:
            store.apply([Change("update", name, moved)])
            assert by_key(store.read(read_text(TABLE[name])), name) == by_key(moved, name), name
