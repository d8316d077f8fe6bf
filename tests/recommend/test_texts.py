"""Texts of contexts and papers."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from citescape.core.types import Document
from citescape.recommend.texts import (
    join_sentences,
    list_sentences,
    read_candidates,
    read_queries,
    read_texts,
)
from tests.recommend.libraries import draw_library, make_contexts

PAIRS = [
    ("c2", "p", "a", "As TARGETCIT and OTHERCIT say, peas (OTHERCIT) grow."),
    ("c2", "p", "b", "As OTHERCIT and TARGETCIT say, peas (OTHERCIT) grow."),
    ("c10", "p", "a", "  Peas\n[TARGETCIT, OTHERCIT] "),
    ("c3", "p", "a", "TARGETCIT"),
    ("c4", "p", "a", "(OTHERCIT; TARGETCIT)"),
    ("c1", "p", "a", ""),
]


def test_each_context_is_listed_once() -> None:
    """Ids are sorted as text; contexts without words are left out."""
    ids, texts = read_texts(make_contexts(PAIRS))
    assert ids.to_pylist() == ["c10", "c2"]
    assert texts == ["Peas", "As say, peas grow."]
    assert read_texts(make_contexts(PAIRS[3:])) == (ids[:0], [])
    assert read_texts(make_contexts([])) == (ids[:0], [])


def test_punctuation_alone_is_no_sentence() -> None:
    pairs = [*PAIRS, ("c5", "p", "a", "[TARGETCIT] ."), ("c6", "p", "a", "Ж TARGETCIT")]
    found = list_sentences(make_contexts(pairs))
    assert found["context"].to_pylist() == ["c2", "c2", "c10", "c6"]
    assert found["words"].to_pylist()[:2] == ["As say, peas grow."] * 2


@given(st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(chance: Any) -> None:
    pairs = draw_library()[1]
    mixed = chance.sample(pairs, len(pairs))
    assert read_texts(make_contexts(mixed)) == read_texts(make_contexts(pairs))


def test_equal_contexts_of_one_paper_are_merged() -> None:
    pairs = [
        ("p_a_0", "p", "a", "Peas [TARGETCIT, OTHERCIT] grow."),
        ("p_b_0", "p", "b", "Peas [OTHERCIT, TARGETCIT] grow."),
        ("q_a_0", "q", "a", "Peas [TARGETCIT, OTHERCIT] grow."),
        ("p_a_1", "p", "a", "Beans [TARGETCIT] grow."),
    ]
    joined = join_sentences(make_contexts(pairs)).pairs
    assert joined["context"].to_pylist() == ["p_a_0", "p_a_0", "q_a_0", "p_a_1"]
    assert joined.drop_columns("context").equals(make_contexts(pairs).pairs.drop_columns("context"))


def test_rerankers_read_contexts_with_their_paper_and_papers_with_their_abstract() -> None:
    papers = [Document("Peas", "They grow."), Document(""), Document("", "Green.")]
    assert read_queries(["a", "b", "c"], papers) == ["a Peas", "b", "c"]
    texts = read_queries(["a", "b", "c"], papers, abstracts=True)
    assert texts == ["a Peas They grow.", "b", "c Green."]
    assert read_candidates(papers) == ["Peas They grow.", "", "Green."]
