"""Synchronisation of derived tables: only differences are written."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citescape.ingest.sync import differences, unique_rows
from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import NODE, REL, TABLE
from citescape.store.statements import read_text

COMPARED = ("title", "year", "surnames", "fulltext")
IDS = [f"p{i}" for i in range(6)]

a_work = st.fixed_dictionaries(
    {
        "title": st.sampled_from([None, "", "a", "b"]),
        "year": st.sampled_from([None, 1900, 2000]),
        "surnames": st.sampled_from([None, [], ["x"], ["x", "y"], ["xy"]]),
        "fulltext": st.just(False),
    }
)
works = st.dictionaries(st.sampled_from(IDS), a_work)
pairs = st.dictionaries(
    st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)),
    st.fixed_dictionaries({"mentions": st.sampled_from([None, 0, 1])}),
)


def node_rows(rows: dict[str, dict[str, object]]) -> pa.Table:
    return pa.Table.from_pylist(
        [{"id": own, **row} for own, row in rows.items()], TABLE["Paper"].arrow
    )


def pair_rows(rows: dict[tuple[str, str], dict[str, object]]) -> pa.Table:
    listed = [{"from": a, "to": b, **row} for (a, b), row in rows.items()]
    return pa.Table.from_pylist(listed, TABLE["CITES"].arrow)


def comparable_rows(table: pa.Table) -> list[str]:
    """Rows in a comparable form; a store may keep an empty list as null."""
    rows = [{k: v if v != [] else None for k, v in row.items()} for row in table.to_pylist()]
    return sorted(map(repr, rows))


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(before=works, after=works)
def test_applying_differences_gives_the_expected_nodes(
    store: GraphStore, before: dict[str, dict[str, object]], after: dict[str, dict[str, object]]
):
    for rows in (before, after):
        wanted = node_rows(rows)
        present = store.read(read_text(NODE["Paper"], COMPARED))
        store.apply(differences("Paper", present, wanted))
        present = store.read(read_text(NODE["Paper"], COMPARED))
        assert comparable_rows(present) == comparable_rows(wanted.select(["id", *COMPARED]))
        assert differences("Paper", present, wanted) == []


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(before=pairs, after=pairs)
def test_applying_differences_gives_the_expected_relationships(
    store: GraphStore,
    before: dict[tuple[str, str], dict[str, object]],
    after: dict[tuple[str, str], dict[str, object]],
):
    nodes = node_rows({own: {"fulltext": False} for own in IDS})
    store.apply(differences("Paper", store.read(read_text(NODE["Paper"], [])), nodes))
    for rows in (before, after):
        wanted = pair_rows(rows)
        present = store.read(read_text(REL["CITES"], ["mentions"]))
        store.apply(differences("CITES", present, wanted))
        present = store.read(read_text(REL["CITES"], ["mentions"]))
        assert comparable_rows(present) == comparable_rows(
            wanted.select(["from", "to", "mentions"])
        )
        assert differences("CITES", present, wanted) == []


def test_columns_that_are_not_compared_are_not_changed(fresh_store: Callable[[], GraphStore]):
    store = fresh_store()
    store.apply([Change("insert", "Paper", node_rows({own: {} for own in IDS}))])
    store.apply([Change("insert", "CITES", pair_rows({("p0", "p1"): {"mentions": 7}}))])
    wanted = pair_rows({("p0", "p1"): {}, ("p1", "p0"): {}})
    store.apply(differences("CITES", store.read(read_text(REL["CITES"], [])), wanted))
    mentions = "MATCH (:Paper {id: 'p0'})-[x:CITES]->() RETURN x.mentions AS n"
    assert store.read(mentions)["n"].to_pylist() == [7]


def test_the_first_row_of_a_key_is_kept_and_null_keys_are_dropped():
    rows = pa.table({"id": ["b", None, "a", "b"], "title": ["1", "2", "3", "4"], "issn": [""] * 4})
    assert unique_rows("Venue", rows).to_pylist() == [
        {"id": "b", "title": "1", "issn": ""},
        {"id": "a", "title": "3", "issn": ""},
    ]
