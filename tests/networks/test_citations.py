"""Citations as arrays, compared with sets of pairs; and missing data in a store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError, StoreError
from citescape.networks import citations as reading
from citescape.networks.citations import Citations, build_citations, read_citations
from citescape.store.graph_store import GraphStore
from citescape.store.state import IMPORTANCE_RUN, write_meta
from tests.importance.conftest import insert

Rows = dict[tuple[str, str], float]
NAMES = ["b", "a", "c", "10", "9", "ä", "Z"]


def table(rows: Rows, order: list[int] | None = None) -> pa.Table:
    pairs = list(rows)
    pairs = [pairs[k] for k in order] if order else pairs
    return pa.table(
        {
            "citing": pa.array([citing for citing, _ in pairs], pa.string()),
            "cited": pa.array([cited for _, cited in pairs], pa.string()),
            "weight": pa.array([rows[pair] for pair in pairs], pa.float64()),
        }
    )


def listed(citations: Citations) -> list[tuple[str, str, float]]:
    ids = citations.ids.to_pylist()
    ends = zip(citations.citing, citations.cited, citations.weights, strict=True)
    return [(ids[citing], ids[cited], weight) for citing, cited, weight in ends]


def ordered(rows: Rows) -> list[tuple[str, str, float]]:
    """Pairs without self-citations, ids compared by their bytes."""
    kept = [(a, b, weight) for (a, b), weight in rows.items() if a != b]
    return sorted(kept, key=lambda row: (row[0].encode(), row[1].encode()))


pairs_of_names = st.dictionaries(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), st.integers(0, 9).map(float)
)


@settings(max_examples=100, deadline=None)
@given(pairs_of_names, st.randoms())
def test_rows_in_any_order_give_the_same_arrays(rows: Rows, chance: Any) -> None:
    order = list(range(len(rows)))
    chance.shuffle(order)
    selected = build_citations(table(rows, order))
    assert listed(selected) == ordered(rows)
    used = {end for a, b, _ in ordered(rows) for end in (a, b)}
    assert selected.ids.to_pylist() == sorted(used, key=str.encode)
    assert len(selected) == len(ordered(rows))


@settings(max_examples=100, deadline=None)
@given(pairs_of_names, st.sets(st.sampled_from([*NAMES, "absent"])))
def test_excluded_papers_are_removed_from_both_ends(rows: Rows, excluded: set[str]) -> None:
    selected = build_citations(table(rows)).without(excluded)
    kept = {pair: w for pair, w in rows.items() if not excluded & set(pair)}
    assert listed(selected) == ordered(kept)
    assert not excluded & set(selected.ids.to_pylist())


@settings(max_examples=100, deadline=None)
@given(pairs_of_names)
def test_reversed(rows: Rows) -> None:
    citations = build_citations(table(rows))
    turned = {(b, a): weight for (a, b), weight in rows.items()}
    assert listed(citations.reverse()) == ordered(turned)


def test_repeated_pairs_are_refused() -> None:
    rows = pa.concat_tables([table({("a", "b"): 1.0})] * 2)
    with pytest.raises(StoreError, match="more than once"):
        build_citations(rows)


LABELLED = (
    ("p0", "p1", 0.5, 2, 0, 1),
    ("p0", "p2", 0.25, None, None, None),
    ("p1", "p2", 0.75, 0, 3, 0),
    ("p2", "p2", 1.0, 1, 1, 1),
)


def fill(store: GraphStore, rows: tuple[tuple[Any, ...], ...]) -> GraphStore:
    insert(store, "Paper", [{"id": f"p{k}"} for k in range(4)])
    names = ("from", "to", "importance", "n_background", "n_method", "n_result")
    insert(store, "CITES", [dict(zip(names, row, strict=True)) for row in rows])
    write_meta(store, IMPORTANCE_RUN, "score-1" if any(row[2] for row in rows) else "")
    return store


def test_weights_of_citations(store: GraphStore) -> None:
    """Importance of all citations; contexts of some facets; without self-citations."""
    fill(store, LABELLED)
    expected = {
        "importance": [("p0", "p1", 0.5), ("p0", "p2", 0.25), ("p1", "p2", 0.75)],
        "none": [("p0", "p1", 1), ("p0", "p2", 1), ("p1", "p2", 1)],
        "background": [("p0", "p1", 2)],
        "method": [("p1", "p2", 3)],
        "result": [("p0", "p1", 1)],
    }
    assert {name: listed(read_citations(store, weight=name)) for name in expected} == expected


def test_missing_data_are_named(store: GraphStore) -> None:
    with pytest.raises(ConfigError, match="background, importance, method, none, result"):
        read_citations(store, weight="title")
    with pytest.raises(StoreError, match=r"holds no citations; load papers with .*ingest PATH"):
        read_citations(store)
    fill(store, tuple((a, b, None, None, None, None) for a, b, *_ in LABELLED))
    with pytest.raises(StoreError, match=r"lacks importance .*; run .* score"):
        read_citations(store)
    with pytest.raises(StoreError, match=r"no n_method; run .* text intents label"):
        read_citations(store, weight="method")


def test_outdated_importance_is_refused(store: GraphStore) -> None:
    fill(store, LABELLED)
    write_meta(store, IMPORTANCE_RUN, "")
    assert len(read_citations(store, weight="none")) == 3
    with pytest.raises(StoreError, match=r"lacks importance .* score"):
        read_citations(store)


def test_a_partly_labelled_facet_is_refused(store: GraphStore) -> None:
    fill(store, LABELLED)
    sentences = [
        {"id": "p0#1", "intents": ["method"], "intent_run": "intents-1"},
        {"id": "p1#1", "intents": None, "intent_run": None},
    ]
    insert(store, "Occurrence", sentences)
    assert len(read_citations(store, weight="importance")) == 3
    with pytest.raises(
        StoreError, match=r"some citations .* no intent.* run .* text intents label"
    ):
        read_citations(store, weight="method")


def test_missing_importance_is_refused_before_reading(
    store: GraphStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, LABELLED)
    write_meta(store, IMPORTANCE_RUN, "")
    read: list[str] = []

    def read_nothing(*_: object) -> Iterator[pa.Table]:
        read.append("slices")
        yield from ()

    monkeypatch.setattr(reading, "read_sliced", read_nothing)
    with pytest.raises(StoreError, match="lacks importance"):
        read_citations(store)
    assert read == []


def test_a_single_citation_without_importance_is_refused(store: GraphStore) -> None:
    fill(store, (LABELLED[0], ("p1", "p2", None, 0, 0, 0)))
    with pytest.raises(StoreError, match="1 of 2 citations"):
        read_citations(store)


def test_a_facet_without_contexts(store: GraphStore) -> None:
    fill(store, (("p0", "p1", 0.5, 2, 0, 0), ("p1", "p2", 0.5, 1, 0, 0)))
    selected = read_citations(store, weight="method")
    assert (len(selected), len(selected.ids)) == (0, 0)


def test_rows_of_a_citing_paper_are_adjacent() -> None:
    citations = build_citations(table({("a", "c"): 1, ("b", "c"): 2, ("a", "b"): 3}))
    assert citations.indptr.tolist() == [0, 2, 3, 3]
    assert citations.citing.tolist() == np.repeat([0, 1, 2], np.diff(citations.indptr)).tolist()


@settings(max_examples=60, deadline=None)
@given(pairs_of_names, st.data())
def test_a_selection_equals_building_from_selected_rows(rows: Rows, data: st.DataObject) -> None:
    citations = build_citations(table(rows))
    keep = np.array([data.draw(st.booleans()) for _ in range(len(citations))], np.bool_)
    kept = {
        row[:2]: row[2] for row, keep_row in zip(listed(citations), keep, strict=True) if keep_row
    }
    selected = citations.where(keep)
    assert listed(selected) == listed(build_citations(table(kept)))
    assert selected.fingerprint() == build_citations(table(kept)).fingerprint()


def test_fingerprints_distinguish_papers_pairs_and_weights() -> None:
    base = {("a", "b"): 1.0, ("b", "c"): 2.0}
    others = (
        {("a", "b"): 1.0, ("b", "d"): 2.0},
        {("a", "b"): 1.0, ("a", "c"): 2.0},
        {("a", "b"): 1.0, ("b", "c"): 3.0},
    )
    result = {build_citations(table(rows)).fingerprint() for rows in (base, *others)}
    assert len(result) == 4
    reordered = dict(reversed(base.items()))
    assert build_citations(table(reordered)).fingerprint() in result
