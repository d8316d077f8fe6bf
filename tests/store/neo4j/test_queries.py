"""Every query of the library runs on Neo4j, with columns of the types that ladybug gives them."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pytest

from citescape.store.graph_store import GraphStore, open_store
from citescape.store.neo4j.adapter import Neo4jStore
from citescape.store.queries import Query, library
from tests.conftest import empty_neo4j
from tests.neo4j.server import Neo4jServer

READS = [q for q in library().values() if not q.writes and "rows" not in q.parameters]
LISTS = ("papers", "ids", "rows", "levels", "types", "asked", "learned", "occurrences")
NUMBERS = ("least", "limit", "earliest", "latest", "undated")


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


def given(query: Query) -> dict[str, object]:
    """A value of the right type for each parameter."""
    return {
        name: [] if name in LISTS else 1 if name in NUMBERS else "none" for name in query.parameters
    }


@pytest.mark.parametrize("query", READS, ids=lambda query: query.name)
def test_columns_have_the_same_types_even_without_rows(
    query: Query, empty: tuple[GraphStore, GraphStore]
) -> None:
    ladybug, neo4j = (s.read(query, **given(query)).schema for s in empty)
    assert neo4j.equals(ladybug) or [*map(str_type, neo4j)] == [*map(str_type, ladybug)]


def str_type(field: pa.Field) -> tuple[str, str]:
    """Name and type of a column; ladybug names the entries of lists otherwise."""
    kind = field.type
    return field.name, f"list of {kind.value_type}" if pa.types.is_list(kind) else str(kind)


@pytest.mark.parametrize("query", library().values(), ids=lambda query: query.name)
def test_neo4j_can_plan_every_query(query: Query, empty: tuple[GraphStore, GraphStore]) -> None:
    store = empty[1]
    assert isinstance(store, Neo4jStore)
    params = given(query)
    with store._session() as session:  # a plan is no table
        text = query.text_for("neo4j")
        plan = session.run(f"EXPLAIN {text}", params).consume().plan
    assert plan is not None
