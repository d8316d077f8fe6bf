"""Queries on retracted and corrected works, on both engines."""

from __future__ import annotations

from typing import Any

import pytest

from citescape.store.graph_store import GraphStore
from tests.cypher.test_explore import SCORED, insert, read_query

WORK = {
    "notice": "retracted",
    "notice_date": "2015-07-29",
    "notice_year": 2015,
    "notice_doi": "10.1/n",
    "notice_source": "table",
}
DATES = {
    "early": "2014-12-31",
    "vague": "2015",
    "late": "2015-08",
    "later": "2018-01-01",
    "undated": None,
    "notice": "2015-07-29",
}
"""Citing paper -> its date."""
MENTIONS = {"early": "M", "late": "M", "later": "D", "notice": "I"}
"""Citing paper -> section of its only mention; the others only list the work."""


@pytest.fixture
def noted(store: GraphStore) -> GraphStore:
    """Works r (retracted) and c (corrected without a date), and papers that cite them."""
    citing = [
        {"id": name, "date": date, "year": date and int(date[:4])} for name, date in DATES.items()
    ]
    works = [{"id": "r", **WORK}, {"id": "c", "notice": "corrected", "notice_source": "work"}]
    insert(store, "Paper", [*citing, *works, {"id": "plain"}])
    insert(store, "Notice", [{"id": "n", "kind": "retraction"}, {"id": "m", "kind": "correction"}])
    insert(store, "CONCERNS", [{"from": "n", "to": "r"}, {"from": "m", "to": "c"}])
    insert(store, "PUBLISHED_AS", [{"from": "n", "to": "notice"}])
    scores = {"importance": 0.5, "n_background": 0, "n_method": 1, "n_result": 0, "f_M": 1}
    pairs = [(name, "r") for name in DATES] + [("late", "c"), ("late", "plain")]
    insert(store, "CITES", [{"from": a, "to": b, **SCORED, **scores} for a, b in pairs])
    sections = [{"id": f"{a}#s0", "type": kind} for a, kind in MENTIONS.items()]
    insert(store, "Section", sections)
    insert(store, "HAS_SECTION", [{"from": a, "to": f"{a}#s0"} for a in MENTIONS])
    occurrences: list[dict[str, Any]] = [{"id": f"{a}#o0", "ordinal": 0} for a in MENTIONS]
    occurrences[0]["intents"] = ["method", "background"]
    insert(store, "Occurrence", occurrences)
    insert(store, "CONTAINS", [{"from": f"{a}#s0", "to": f"{a}#o0"} for a in MENTIONS])
    insert(store, "REFERS_TO", [{"from": f"{a}#o0", "to": "r"} for a in MENTIONS])
    return store


def test_retracted_works_with_citations_before_and_after(noted: GraphStore) -> None:
    (row,) = read_query(noted, "retracted_works", notices=["retracted"], limit=9)
    counts = {name: row[name] for name in ("cited_by", "before", "same", "after", "unknown")}
    assert counts == {"cited_by": 5, "before": 1, "same": 1, "after": 2, "unknown": 1}
    assert (row["id"], row["in_methods"], row["as_method"]) == ("r", 5, 5)
    assert row["importance"] == 5 * 0.5
    assert {name: row[name] for name in WORK if name != "notice_year"} == {
        name: value for name, value in WORK.items() if name != "notice_year"
    }
    (row,) = read_query(noted, "retracted_works", notices=["corrected"], limit=9)
    assert (row["id"], row["unknown"]) == ("c", 1)


def test_citations_of_a_retracted_work_by_year_and_section(noted: GraphStore) -> None:
    rows = read_query(noted, "citations_of_retracted", paper="r")
    assert [tuple(row.values()) for row in rows] == [
        (2014, "before", "M", 1, 1, 1),
        (2015, "after", "M", 1, 1, 0),
        (2018, "after", "D", 1, 1, 0),
    ]
    assert read_query(noted, "citations_of_retracted", paper="plain") == []


def test_totals_by_state(noted: GraphStore) -> None:
    nothing = dict.fromkeys(("before", "same", "after", "unknown"), 0)
    assert read_query(noted, "notices") == [
        {"notice": "corrected", "works": 1, "citations": 1, **nothing, "unknown": 1},
        {
            "notice": "retracted",
            "works": 1,
            "citations": 5,
            **{"before": 1, "same": 1, "after": 2, "unknown": 1},
        },
    ]


def test_a_work_that_only_its_notice_cites_has_no_citations(store: GraphStore) -> None:
    insert(store, "Paper", [{"id": "r", **WORK}, {"id": "notice", "date": "2015-07-29"}])
    insert(store, "Notice", [{"id": "n", "kind": "retraction"}])
    insert(store, "CONCERNS", [{"from": "n", "to": "r"}])
    insert(store, "PUBLISHED_AS", [{"from": "n", "to": "notice"}])
    insert(store, "CITES", [{"from": "notice", "to": "r"}])
    (row,) = read_query(store, "notices")
    assert (row["works"], row["citations"], row["same"]) == (1, 0, 0)
    assert read_query(store, "retracted_works", notices=["retracted"], limit=9) == []
