"""Lookups by node: the rows are the same whether nodes are looked up one by one or as a list."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.store import lookups
from citescape.store.graph_store import Change, GraphStore
from citescape.store.lookups import read_for, read_run
from citescape.store.queries import query
from citescape.store.schema import NODE, REL, TABLE
from citescape.store.statements import forms_text, linked_text, nodes_text
from tests.ingest.papers import load, small_corpus, write_files


@pytest.mark.parametrize(
    "text",
    [
        query("ingest/references"),
        query("ingest/occurrence_references"),
        linked_text(REL["HAS_KEYWORD"]),
        nodes_text(NODE["Paper"], ["title"]),
    ],
    ids=["query", "two hops", "links", "nodes"],
)
def test_few_nodes_give_the_rows_of_a_list(
    store: GraphStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: object
) -> None:
    load(store, *write_files(tmp_path, small_corpus(5)))
    ids = [f"doi:10.1000/{number}" for number in (0, 2, 4)]
    one_by_one = rows(read_for, store, text, ids)
    monkeypatch.setattr(lookups, "_FEW", 0)
    monkeypatch.setattr(lookups, "_SLICE", 2)
    assert one_by_one == rows(read_for, store, text, ids) != []
    assert rows(read_for, store, text, []) == []


@pytest.mark.parametrize("name", ["references", "occurrence_references", "matches"])
def test_nodes_in_a_run_give_the_rows_of_a_list(
    store: GraphStore, tmp_path: Path, name: str
) -> None:
    load(store, *write_files(tmp_path, small_corpus(5)))
    text = query(f"ingest/{name}")
    ids = [f"doi:10.1000/{number}" for number in (1, 2, 3)]
    expected = rows(read_for, store, text, ids)
    assert rows(read_run, store, text, ids) == expected != []
    assert rows(read_run, store, text, ["x", "z"]) == rows(read_run, store, text, []) == []


def test_a_run_is_in_the_order_of_code_points(store: GraphStore) -> None:
    """Parts of the graph are cut in the order in which Arrow sorts ids."""
    letters = pa.array(["z", "Z", "é", "e\u0301", "\uffee", "\U0001d465", "中"])
    ids = letters.sort().to_pylist()
    papers = pa.Table.from_pylist([{"id": id_} for id_ in ids], TABLE["Paper"].arrow)
    store.apply([Change("insert", "Paper", papers)])
    text = nodes_text(NODE["Paper"], [])
    for first in range(len(ids)):
        for last in range(first, len(ids)):
            run = ids[first : last + 1]
            found = read_run(store, text, run)["id"].to_pylist()
            assert sorted(found) == run


@pytest.mark.parametrize("fresh_store", ["ladybug"], indirect=True)
def test_the_first_node_needs_a_name_to_be_limited(store: GraphStore) -> None:
    text = "UNWIND $ids AS x MATCH (:Paper {id: x})-[:CITES]->(p:Paper) RETURN p.id AS id"
    with pytest.raises(ConfigError, match="whose first node has a name"):
        read_run(store, text, ["a"])


def test_forms_of_terms_are_counted(store: GraphStore, tmp_path: Path) -> None:
    load(store, *write_files(tmp_path, small_corpus(5)))
    found = read_for(store, forms_text(REL["HAS_KEYWORD"], ["text"]), ["maize", "word 1", "none"])
    assert sorted(found.to_pylist(), key=str) == [
        {"to": "maize", "text": "maize", "times": 5},
        {"to": "word 1", "text": "word 1", "times": 2},
    ]


def test_another_form_of_query_is_refused(store: GraphStore) -> None:
    with pytest.raises(ConfigError, match="expected a query that begins with UNWIND"):
        read_for(store, "MATCH (p:Paper) RETURN p.id AS id", ["a"])


def rows(read: Callable[..., object], *arguments: object) -> list[str]:
    return sorted(map(repr, read(*arguments).to_pylist()))  # type: ignore[attr-defined]
