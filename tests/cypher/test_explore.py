"""Library queries on a graph that is scored in part, on both engines."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import TABLE

SCORED = {"mentions": 1, "f_I": 0, "f_M": 0, "f_R": 0, "f_D": 0, "f_other": 1, "self": 0}
CITES = {
    ("a", "c"): {**SCORED, "importance": 0.0},
    ("b", "c"): {**SCORED, "importance": 0.5, "f_R": 2},
    ("d", "c"): {},
    ("a", "e"): {},
}
"""Properties of each citation; empty for citations that no run has scored."""


@pytest.fixture
def half(store: GraphStore) -> GraphStore:
    """Papers a to e, of which each citing one mentions c in one section."""
    insert(store, "Paper", [{"id": name} for name in "abcde"])
    insert(store, "Section", [{"id": f"{x}#s0", "type": "R", "title": x} for x in "abd"])
    insert(store, "HAS_SECTION", [{"from": x, "to": f"{x}#s0"} for x in "abd"])
    insert(store, "Occurrence", [{"id": f"{x}#o0", "ordinal": 0, "context": x} for x in "abd"])
    insert(store, "CONTAINS", [{"from": f"{x}#s0", "to": f"{x}#o0"} for x in "abd"])
    insert(store, "REFERS_TO", [{"from": f"{x}#o0", "to": "c"} for x in "abd"])
    insert(store, "CITES", [{"from": a, "to": b, **known} for (a, b), known in CITES.items()])
    return store


def insert(store: GraphStore, name: str, rows: list[dict[str, Any]]) -> None:
    schema = TABLE[name].arrow
    full = [{column: row.get(column) for column in schema.names} for row in rows]
    store.apply([Change("insert", name, pa.Table.from_pylist(full, schema))])


def publish(store: GraphStore, journals: dict[str, str]) -> None:
    insert(store, "Venue", [{"id": name, "name": name} for name in set(journals.values())])
    rows = [{"from": paper, "to": name} for paper, name in journals.items()]
    insert(store, "PUBLISHED_IN", rows)


def read_query(store: GraphStore, name: str, **params: object) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = store.read(query(f"explore/{name}"), **params).to_pylist()
    return rows


def test_sentences_of_unscored_citations_come_last(half: GraphStore) -> None:
    result = [row["citing"] for row in read_query(half, "contexts", paper="c", limit=9)]
    assert result == ["b", "a", "d"]
    assert [row["citing"] for row in read_query(half, "contexts", paper="c", limit=1)] == ["b"]


def test_references_without_a_score_come_last(half: GraphStore) -> None:
    result = read_query(half, "references", paper="a", limit=9)
    assert [(row["id"], row["importance"]) for row in result] == [("c", 0.0), ("e", None)]


def test_unscored_citations_do_not_count_as_cited_in_results(half: GraphStore) -> None:
    result = read_query(half, "cited_in_results_not_introduction", least=0, limit=9)
    assert result == [
        {"id": "c", "title": None, "year": None, "cited_by": 2, "in_results": 2, "in_discussion": 0}
    ]


def test_cited_in_depth_and_in_passing(half: GraphStore) -> None:
    (deep,) = read_query(half, "cited_in_depth", limit=9)
    assert (deep["id"], deep["papers"], deep["mentions"]) == ("c", 1, 2)
    (passing,) = read_query(half, "cited_in_passing", least=2, limit=9)
    assert (passing["id"], passing["citations"], passing["importance"]) == ("c", 2, 0.25)
    assert read_query(half, "cited_in_passing", least=3, limit=9) == []


def test_bridging_works_are_cited_in_several_journals(half: GraphStore) -> None:
    publish(half, {"a": "one", "b": "one"})
    assert read_query(half, "bridging", least=0, limit=9) == []
    publish(half, {"d": "other"})
    assert read_query(half, "bridging", least=0, limit=9) == []
    insert(half, "CITES", [{"from": "d", "to": "e", **SCORED, "importance": 0.25}])
    insert(half, "CITES", [{"from": "b", "to": "e", **SCORED, "importance": 0.5}])
    (result,) = read_query(half, "bridging", least=0, limit=9)
    assert (result["id"], result["journals"], result["cited_by"]) == ("e", 2, 2)
    assert read_query(half, "bridging", least=0.5, limit=9) == []


def test_works_of_one_citing_paper_can_be_excluded(half: GraphStore) -> None:
    insert(half, "CITES", [{"from": "b", "to": "d", **SCORED, "importance": 9.0}])
    types = [""]
    result = read_query(half, "most_important", min_citing=1, limit=9, types=types)
    assert [(row["id"], row["cited_by"]) for row in result] == [("d", 1), ("c", 2)]
    several = read_query(half, "most_important", min_citing=2, limit=9, types=types)
    assert [row["id"] for row in several] == ["c"]


def test_citations_of_other_types_of_papers_are_added_up_apart(half: GraphStore) -> None:
    review = [{"id": "review", "type": "review-article", "fulltext": True}]
    insert(half, "Paper", review)
    insert(half, "CITES", [{"from": "review", "to": "c", **SCORED, "importance": 7.0}])
    every = read_query(half, "most_important", min_citing=1, limit=9, types=["", "review-article"])
    (row,) = read_query(half, "most_important", min_citing=2, limit=9, types=[""])
    assert (row["cited_by"], row["cited_by_others"], row["importance_of_others"]) == (2, 1, 7.0)
    assert next(one for one in every if one["id"] == "c")["importance"] == row["importance"] + 7.0


@pytest.fixture
def placed(half: GraphStore) -> GraphStore:
    """Works c and e of three institutions, one without a country; two institutions are in Peru."""
    years = {"c": 2010, "e": 2012, "b": None}
    rows = [{"id": id_, "year": year} for id_, year in years.items()]
    half.apply(
        [
            Change(
                "update",
                "Paper",
                pa.table({name: [row[name] for row in rows] for name in ("id", "year")}),
            )
        ]
    )
    nodes = [("x", "PE"), ("y", "PE"), ("z", "CN"), ("o", None)]
    insert(half, "Institution", [{"id": i, "name": i.upper(), "country": c} for i, c in nodes])
    links = [("c", "x", "0"), ("c", "y", "0 1"), ("e", "z", "0"), ("e", "x", "1"), ("e", "o", "")]
    rows = [{"from": p, "to": i, "positions": at} for p, i, at in [*links, ("b", "z", "0")]]
    insert(half, "AFFILIATED_WITH", rows)
    insert(half, "Author", [{"id": "li"}, {"id": "wu"}])
    wrote = [("li", "c", 1), ("wu", "c", 0), ("wu", "e", 1), ("li", "a", 0)]
    insert(half, "WROTE", [{"from": a, "to": p, "position": at} for a, p, at in wrote])
    return half


def test_a_paper_counts_once_in_each_country(placed: GraphStore) -> None:
    every = {"earliest": 0, "latest": 9999, "limit": 9}
    assert [tuple(row.values()) for row in read_query(placed, "countries", **every)] == [
        ("PE", 2, 3 + 1, 0.5),
        ("CN", 1, 1, 0.0),
    ]
    early = read_query(placed, "countries", **{**every, "latest": 2011})
    assert [(row["country"], row["papers"]) for row in early] == [("PE", 1)]
    assert read_query(placed, "countries", earliest=2013, latest=9999, limit=9) == []


def test_countries_by_year(placed: GraphStore) -> None:
    rows = [tuple(row.values()) for row in read_query(placed, "countries_by_year", country="")]
    assert rows == [(2010, "PE", 1, 3, 0.5), (2012, "CN", 1, 1, 0.0), (2012, "PE", 1, 1, 0.0)]
    chinese = read_query(placed, "countries_by_year", country="CN")
    assert [tuple(row.values())[:3] for row in chinese] == [(2012, "CN", 1)]


def test_institutions_of_all_countries_and_of_one(placed: GraphStore) -> None:
    every = {"earliest": 0, "latest": 9999, "limit": 9}
    rows = read_query(placed, "institutions", country="", **every)
    assert [tuple(row.values()) for row in rows] == [
        ("x", "X", "PE", 2, 4, 0.5),
        ("y", "Y", "PE", 1, 3, 0.5),
        ("o", "O", None, 1, 1, 0.0),
        ("z", "Z", "CN", 1, 1, 0.0),
    ]
    late = read_query(placed, "institutions", country="PE", **{**every, "earliest": 2011})
    assert [row["id"] for row in late] == ["x"]


def test_institutions_of_an_author_are_those_at_its_positions(placed: GraphStore) -> None:
    rows = read_query(placed, "institutions_of_author", author="wu")
    assert [tuple(row.values()) for row in rows] == [
        ("x", "X", "PE", 2, 2010, 2012),
        ("y", "Y", "PE", 1, 2010, 2010),
    ]
    assert [row["id"] for row in read_query(placed, "institutions_of_author", author="li")] == ["y"]
