"""Checks of a statement before it runs, on both engines."""

from __future__ import annotations

import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.store.graph_store import Change, GraphStore, statement
from citescape.store.schema import TABLE
from citescape.store.state import read_meta, write_meta


def test_several_statements_are_refused_before_the_first_runs(store: GraphStore) -> None:
    write_meta(store, "here", "yes")
    with pytest.raises(ConfigError, match="one statement"):
        store.read("RETURN 1 AS n; MATCH (m:Meta) DELETE m")
    with pytest.raises(ConfigError, match="one statement"):
        store.write("MATCH (m:Meta) DELETE m; RETURN 1 AS n;")
    assert read_meta(store, "here") == "yes"


@pytest.mark.parametrize(
    "text",
    [
        "RETURN 'a;b' AS n;",
        "RETURN 1 AS `c;d` ; ",
        'RETURN "a\\";b" AS n',
        "RETURN 1 AS n /* e;\nf */ ; // g;h",
        "RETURN 1 AS n // it's;\n;",
    ],
)
def test_a_trailing_semicolon_is_allowed(text: str) -> None:
    assert statement(text, "ladybug", {}) == text


def test_missing_parameters_are_named_except_in_texts_and_comments() -> None:
    with pytest.raises(ConfigError, match=r"needs parameter \$x, \$y; given: z"):
        statement("RETURN $x, $y, $z", "neo4j", {"z": 1})
    text = "RETURN '$x' AS a /* $y */ // $z"
    assert statement(text, "neo4j", {}) == text


def test_the_revision_changes_with_every_change(store: GraphStore) -> None:
    seen = [store.revision()]
    for change in (
        lambda: write_meta(store, "a", "1"),
        lambda: write_meta(store, "a", "2"),
        lambda: store.run("MATCH (m:Meta {id: 'a'}) SET m.value = '3' RETURN m.id AS id"),
        lambda: store.apply([Change("delete", "Meta", pa.table({"id": ["a"]}))]),
    ):
        change()
        assert read_meta(store, "b") is None
        assert store.revision() == store.revision()
        seen.append(store.revision())
    assert all(seen)
    assert len(set(seen)) == len(seen)


def test_rows_behind_a_chunk_without_rows_are_written(store: GraphStore) -> None:
    schema = TABLE["Keyword"].arrow
    first = pa.Table.from_pylist([{"id": "a", "text": "A"}], schema)
    rows = pa.concat_tables([schema.empty_table(), first, schema.empty_table(), first.slice(1)])
    store.apply([Change("insert", "Keyword", rows)])
    other = pa.Table.from_pylist([{"id": "a", "text": "B"}], schema)
    store.apply([Change("update", "Keyword", pa.concat_tables([schema.empty_table(), other]))])
    assert store.read("MATCH (k:Keyword) RETURN k.text AS text")["text"].to_pylist() == ["B"]
    store.apply([Change("delete", "Keyword", rows)])
    assert not store.read("MATCH (k:Keyword) RETURN k.id AS id").num_rows
