"""Normalised titles and identifiers."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.evaluation.leakage.names import LEAST_TITLE, identify, normalise_name, title_keys
from citescape.store.graph_store import GraphStore
from tests.cypher.test_explore import insert
from tests.evaluation.leakage.lists import make_paper_list


def key(title: str) -> str | None:
    found: str | None = title_keys(pa.array([title]))[0].as_py()
    return found


def test_case_punctuation_accents_and_forms_do_not_matter() -> None:
    title = "Résistance of wheat to rust: α-amylase, 2nd edition"
    expected = "resistanceofwheattorustαamylase2ndedition"
    assert key(title) == expected
    assert key("  RE\u0301SISTANCE of  Wheat to Rust; α amylase (2nd edition).") == expected
    assert key("ﬁrst ﬁndings of ten ﬁeld trials") == "firstfindingsoftenfieldtrials"


def test_short_titles_are_too_common() -> None:
    assert LEAST_TITLE == 25
    assert key("a" * 25) == "a" * 25
    assert key("a" * 24) is None
    assert key("a, " * 24) is None
    assert key("") is None


@given(
    st.lists(st.text("abcXYZé09", min_size=1, max_size=9), min_size=1, max_size=9),
    st.sampled_from(["--", ". ", "", "\u2019", " / "]),
)
def test_separators_between_words_do_not_matter(words: list[str], between: str) -> None:
    assert key(" ".join(words)) == key(between.join(words).upper())
    assert (key(" ".join(words)) is None) == (len("".join(words)) < LEAST_TITLE)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("10.1000/ABC", "doi:10.1000/abc"),
        ("https://doi.org/10.1000/ABC", "doi:10.1000/abc"),
        ("doi:10.1000/abc", "doi:10.1000/abc"),
        ("PMID: 123", "pmid:123"),
        ("pmid:0123", "pmid:123"),
        ("PMC12345", "pmcid:PMC12345"),
        ("pmcid:PMC12345", "pmcid:PMC12345"),
        ("123", "123"),
        ("ref:doi:10.1000/abc#r5", "ref:doi:10.1000/abc#r5"),
        ("key:57057d8a006765da", "key:57057d8a006765da"),
        ("https://example.org/paper", "https://example.org/paper"),
    ],
)
def test_identifiers_are_normalised(name: str, expected: str) -> None:
    assert normalise_name(name) == expected
    assert normalise_name(expected) == expected


def test_ids_of_the_same_paper_are_joined_by_the_store(store: GraphStore) -> None:
    papers = [
        {"id": "doi:10.1000/a", "doi": "10.1000/a", "pmid": "77", "title": "Of the store"},
        {"id": "key:b", "title": "Not listed"},
    ]
    insert(store, "Paper", papers)
    names = ["PMID:77", "https://doi.org/10.1000/A", "77", "10.9999/absent"]
    given = make_paper_list(
        {("", "query"): names}, {"10.9999/absent": "Its own"}, pairs=[("PMID:77", "77")]
    )
    found = identify(given, store)
    assert found.papers.to_pylist() == ["77", "doi:10.1000/a", "doi:10.9999/absent"]
    assert found.pairs.to_pylist() == [{"paper": "doi:10.1000/a", "other": "77"}]
    titles = {row["paper"]: row["title"] for row in found.titles.to_pylist()}
    assert titles == {"doi:10.9999/absent": "Its own", "doi:10.1000/a": "Of the store"}
    alone = identify(given)
    assert alone.papers.to_pylist() == ["77", "doi:10.1000/a", "doi:10.9999/absent", "pmid:77"]
