"""Fields of papers: shares, spellings, kinds of articles, main fields, files of labels."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.mapping.communities.fields import (
    FIELDS,
    Fields,
    build_fields,
    find_main_fields,
    is_article_type,
    read_fields,
)
from citescape.mapping.communities.labels import build_members
from citescape.store.graph_store import GraphStore
from tests.importance.conftest import insert

IDS = pa.array(list("abcd"), pa.string())


def list_shares(fields: Fields) -> dict[str, dict[str, float]]:
    dense = fields.shares.toarray()
    return {
        id_: {name: dense[k, n] for n, name in enumerate(fields.names) if dense[k, n]}
        for k, id_ in enumerate(IDS.to_pylist())
    }


def test_papers_of_several_fields_have_shares() -> None:
    fields = build_fields(IDS, [("a", "Soil"), ("b", "Soil"), ("b", "Food"), ("z", "Law")])
    assert list_shares(fields) == {
        "a": {"Soil": 1},
        "b": {"Food": 0.5, "Soil": 0.5},
        "c": {},
        "d": {},
    }
    assert fields.without == 2


def test_spellings_are_merged() -> None:
    """The most frequent spelling is used; ties go to the first in order."""
    rows = [("a", "Plant J."), ("b", " plant  j"), ("c", "Plant J"), ("d", "Plant J"), ("d", "")]
    fields = build_fields(IDS, rows)
    assert fields.names == ("Plant J",)
    assert list_shares(fields)["d"] == {"Plant J": 1}


pairs = st.lists(
    st.tuples(st.sampled_from("abcdz"), st.sampled_from(["Soil", "Food", "soil", "Law"])),
    max_size=12,
)


@settings(max_examples=100, deadline=None)
@given(pairs, st.lists(st.integers(-1, 2), min_size=4, max_size=4), st.randoms())
def test_shares_and_main_fields_equal_plain_counting(
    rows: list[tuple[str, str]], labels: list[int], chance: object
) -> None:
    fields = build_fields(IDS, rows)
    shown = {name.casefold(): name for name in fields.names}
    own = {id_: {shown[name.casefold()] for paper, name in rows if paper == id_} for id_ in "abcd"}
    expected = {id_: {name: 1 / len(of) for name in of} for id_, of in own.items()}
    assert list_shares(fields) == {id_: pytest.approx(of) for id_, of in expected.items()}
    main = find_main_fields(fields, build_members(np.array(labels), 3))
    for community in range(3):
        counts: Counter[str] = Counter()
        for id_, label in zip("abcd", labels, strict=True):
            counts.update(own[id_] if label == community else ())
        best = min(counts, key=lambda name: (-counts[name], name), default=None)
        assert main[community] == best


def test_ties_of_main_fields_are_broken_by_name() -> None:
    fields = build_fields(IDS, [("a", "Soil"), ("b", "Soil"), ("c", "Food"), ("d", "Food")])
    assert find_main_fields(fields, build_members(np.zeros(4, int), 1)) == ["Food"]


def test_the_main_field_has_most_papers() -> None:
    """A field counts by papers, regardless of their other fields."""
    many = [(paper, f"{paper}{k}") for paper in "ab" for k in range(9)]
    fields = build_fields(IDS, [*many, ("a", "Soil"), ("b", "Soil"), ("c", "Food")])
    assert find_main_fields(fields, build_members(np.zeros(4, int), 1)) == ["Soil"]


@pytest.mark.parametrize(
    "heading",
    [
        *("Article", "Research Articles", "Original Research", "MINI-REVIEW", "Case Studies"),
        *("Letter to the Editor", "Brief Communication", "Author Correction", "16", "", None),
    ],
)
def test_article_types_are_no_fields(heading: str | None) -> None:
    assert is_article_type(heading)


@pytest.mark.parametrize("heading", ["Plant Science", "Genome Report", "Data Mining", "Crops"])
def test_subjects_become_fields(heading: str) -> None:
    assert not is_article_type(heading)


def fill(store: GraphStore) -> pa.Table:
    rows = zip("abcd", VENUES, strict=True)
    papers = [{"id": id_, "doi": f"10.1000/{id_}", "venue": venue} for id_, venue in rows]
    insert(store, "Paper", papers)
    names = ["Soil Science", "Article", "Food"]
    insert(store, "Subject", [{"id": name.lower(), "text": name} for name in names])
    ends = [("a", "soil science"), ("a", "article"), ("b", "article"), ("c", "food")]
    insert(store, "HAS_SUBJECT", [{"from": paper, "to": term} for paper, term in ends])
    return pa.table({"id": IDS, "venue": pa.array(VENUES, pa.string())})


VENUES = ["Rice", "rice", None, "PLoS ONE"]


def test_fields_are_read_from_a_store(store: GraphStore) -> None:
    works = fill(store)
    found = {
        named: list_shares(read_fields(store, named, works, ids=IDS, labels=labels))
        for named, labels in (
            ("subjects", ()),
            ("venue", ()),
            ("labels", [("10.1000/a", "Soil; Food"), ("b", "Food"), ("absent", "Law")]),
        )
    }
    assert set(found) == set(FIELDS)
    assert found["subjects"] == {"a": {"Soil Science": 1}, "b": {}, "c": {"Food": 1}, "d": {}}
    assert found["venue"] == {"a": {"Rice": 1}, "b": {"Rice": 1}, "c": {}, "d": {"PLoS ONE": 1}}
    assert found["labels"] == {"a": {"Food": 0.5, "Soil": 0.5}, "b": {"Food": 1}, "c": {}, "d": {}}
    with pytest.raises(ConfigError, match="fields is 'mesh'; expected one of: labels, subjects"):
        read_fields(store, "mesh", works, ids=IDS)


def test_labels_without_a_paper_are_counted(store: GraphStore) -> None:
    works = fill(store)
    labels = [("a", "Soil"), ("absent", "Law"), ("10.1000/absent", "Law; Soil")]
    assert read_fields(store, "labels", works, ids=IDS, labels=labels).unknown == 2


def test_fingerprints_depend_on_names_and_papers() -> None:
    rows = [[("a", "Soil")], [("b", "Soil")], [("a", "Food")], [("a", "Soil"), ("b", "Soil")], []]
    assert len({build_fields(IDS, of).fingerprint() for of in rows}) == len(rows)
    assert build_fields(IDS, rows[0] * 2).fingerprint() == build_fields(IDS, rows[0]).fingerprint()
