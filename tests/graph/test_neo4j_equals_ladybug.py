"""The graph of a generated corpus is the same on both engines, and so is what queries say of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from citescape.demo.jats_writer import write_corpus
from citescape.demo.world import generate_world
from citescape.graph.queries import Query, library
from citescape.graph.resolve import resolve
from citescape.graph.schema import TABLE
from citescape.graph.store import Change, GraphStore, open_store
from tests.conftest import empty_neo4j
from tests.graph.papers import load, snapshot
from tests.neo4j.server import Neo4jServer

READS = [q for q in library().values() if not q.writes and "rows" not in q.parameters]


@pytest.fixture(scope="module")
def both(
    neo4j_server: Neo4jServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[GraphStore, GraphStore]]:
    """A ladybug store and a Neo4j store with the same generated corpus, a paper of it corrected."""
    folder = tmp_path_factory.mktemp("both")
    paths = write_corpus(generate_world(papers=50, seed=11), folder / "papers")
    empty_neo4j(neo4j_server.uri)
    stores = (open_store(str(folder / "s.lbug")), open_store(neo4j_server.uri))
    for store in stores:
        load(store, *paths)
    for path in paths[:2]:
        path.write_bytes(
            path.read_bytes().replace(b"</article-title>", b", corrected</article-title>", 1)
        )
    for store in stores:
        assert load(store, *paths).status == {"loaded": 2, "unchanged": 48}
    yield stores
    for store in stores:
        store.close()


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
    pair = both[0].read("MATCH (a:Paper)-[:CITES]->(b:Paper) RETURN a.id AS a, b.id AS b LIMIT 9")
    citing, cited = pair["a"].to_pylist(), pair["b"].to_pylist()
    values = {"papers": sorted(set(citing)), "ids": cited, "cited": cited[0], "text": "the"}
    values |= {"first": "", "last": "~", "least": 1, "limit": 3}
    params = {name: values.get(name, citing[0]) for name in query.parameters}
    ladybug, neo4j = (store.read(query, **params) for store in both)
    assert neo4j.column_names == ladybug.column_names
    assert sorted(map(repr, neo4j.to_pylist())) == sorted(map(repr, ladybug.to_pylist()))
