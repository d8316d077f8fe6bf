"""Labels of communities: class-based TF-IDF, excluded terms and unique labels."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from citescape.core.types import Document
from citescape.mapping.communities.labels import (
    SHARED,
    TITLE,
    Candidate,
    build_members,
    choose_labels,
    find_candidates,
    find_shared,
    is_measure,
    score_terms,
)


def candidates(*texts: tuple[str, str], labels: list[int], top: int = 10) -> list[list[Candidate]]:
    documents = [Document(title, abstract) for title, abstract in texts]
    members = build_members(np.array(labels), max(labels) + 1)
    return find_candidates(documents, members, top=top)


def terms(found: list[Candidate]) -> list[str]:
    return [candidate.term for candidate in found]


counts = st.lists(
    st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=1, max_size=5
).filter(lambda rows: any(any(row) for row in rows))


@settings(max_examples=100, deadline=None)
@given(counts)
def test_scores_equal_the_formula(rows: list[list[int]]) -> None:
    """tf_tc log(1 + A / tf_t), where A is the mean count of all terms in a class."""
    found = score_terms(csr_array(np.array(rows, float))).toarray()
    mean = sum(map(sum, rows)) / len(rows)
    for c, row in enumerate(rows):
        for t, count in enumerate(row):
            whole = sum(other[t] for other in rows)
            expected = count * math.log(1 + mean / whole) if whole else 0
            assert found[c, t] == pytest.approx(expected)


def test_score_of_a_term_by_hand() -> None:
    """A title counts three times; log2(1 + words) for up to three words."""
    found = candidates(
        ("Salt stress", "x"),
        ("", "salt stress"),
        ("Barley", ""),
        ("", "barley"),
        labels=[0, 0, 1, 1],
    )
    assert terms(found[0]) == ["salt stress"]  # salt and stress occur mostly within it
    times = TITLE + 1  # the same for salt, stress, salt stress and barley
    mean = (3 * times + times) / 2
    assert found[0][0].score == pytest.approx(times * math.log(1 + mean / times) * math.log2(3))
    assert found[1][0].score == pytest.approx(times * math.log(1 + mean / times) * math.log2(2))
    assert (found[0][0].papers, found[0][0].share) == (2, 1.0)


def test_repeated_words_count_once_per_paper() -> None:
    """A paper counts once, however often it contains a word."""
    often = ("", "barley " * 50), ("", "oats"), ("", "oats"), ("", "rye"), ("", "rye")
    found = candidates(*often, labels=[0, 0, 0, 1, 1])
    assert terms(found[0]) == ["oats"]  # only one paper has barley


def test_shared_terms_are_left_out() -> None:
    own = ["salt", "frost", "rust"]
    texts = [("", f"rice {own[k % 3]}. plants") for k in range(12)]
    found = candidates(*texts, labels=[k % 3 for k in range(12)])
    assert [terms(of) for of in found] == [["rice salt"], ["rice frost"], ["rice rust"]]
    alone = candidates(*texts, labels=[0] * 12)
    assert "plants" in terms(alone[0])  # a single community shares no terms


def test_a_large_community_keeps_its_terms() -> None:
    """A term of a single community is not shared, even if most papers have it."""
    texts = [("", "salt. plants")] * 8 + [("", "frost. plants")] * 2
    found = candidates(*texts, labels=[0] * 8 + [1] * 2)
    assert [terms(of) for of in found] == [["salt"], ["frost"]]


def test_shared_terms_are_found() -> None:
    """Term 0 is in all papers, term 1 in one of four communities, term 2 in one paper of each."""
    papers = csr_array(np.array([[5, 8, 1], [5, 0, 1], [5, 0, 1], [5, 0, 1]], float))
    members = build_members(np.repeat(np.arange(4), 10), 4)
    assert find_shared(papers, members).tolist() == [True, False, False]
    assert 0.25 < SHARED < 1


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["rice blast"] * 4 + ["blast"], ["rice blast"]),
        (["rice blast"] * 2 + ["blast"] * 9, ["blast"]),
        (["quantitative trait loci", "QTLs"] * 2, ["quantitative trait loci"]),
        (["brown planthopper", "BPH"] * 2, ["brown planthopper"]),
        (["Magnaporthe oryzae and M. oryzae"] * 2, ["Magnaporthe oryzae"]),
        (["RNA", "rice endosperm"] * 2, ["rice endosperm", "RNA"]),
        (["one paper", "rare plant"] * 1, []),
    ],
)
def test_similar_terms_are_merged(texts: list[str], expected: list[str]) -> None:
    rest = [("", "yak"), ("", "yak")]
    rows = [("", text) for text in texts]
    found = candidates(*rows, *rest, labels=[0] * len(rows) + [1, 1])
    assert terms(found[0]) == expected


def test_topics_of_one_paper_and_without_papers() -> None:
    found = candidates(("Salt stress", ""), ("Frost", ""), ("", ""), labels=[0, 1, 2])
    assert terms(found[0]) == ["salt stress"] or terms(found[0]) == ["Salt stress"]
    assert terms(found[1]) == ["Frost"]
    assert found[2] == []
    assert candidates(("a", ""), labels=[1])[0] == []


def test_number_of_terms_is_limited() -> None:
    texts = [("", ". ".join(f"word{k}" for k in "abcdefgh"))] * 2
    assert len(candidates(*texts, labels=[0, 0], top=3)[0]) == 3


def make_candidates(*rows: tuple[str, float, float]) -> list[Candidate]:
    return [Candidate(term, score, round(20 * share), share) for term, score, share in rows]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([make_candidates(("salt stress", 3, 0.5))], ["salt stress"]),
        ([make_candidates(("salt", 3, 0.5), ("frost", 2, 0.5))], ["salt, frost"]),
        ([make_candidates(("salt", 3, 0.5))], ["salt"]),
        ([[], make_candidates(("salt", 3, 0.5))], [None, "salt"]),
        # a rare term is a label only if there is no other term
        ([make_candidates(("odd thing", 3, 0.06), ("salt stress", 2, 0.5))], ["salt stress"]),
        ([make_candidates(("odd thing", 3, 0.06))], ["odd thing"]),
        # the higher score keeps the label, the other community takes its next term
        (
            [
                make_candidates(("salt stress", 2, 0.5), ("root growth", 1, 0.5)),
                make_candidates(("Salt stress", 3, 0.5), ("frost", 1, 0.5)),
            ],
            ["root growth", "Salt stress"],
        ),
        # no other term: no label, instead of the name of the community
        ([make_candidates(("salt", 2, 0.5)), make_candidates(("salt", 3, 0.5))], [None, "salt"]),
        ([make_candidates(("salt", 2, 0.5)), make_candidates(("salt", 2, 0.5))], ["salt", None]),
        # all terms are used: a pair of them
        (
            [
                make_candidates(("salt stress", 3, 0.5)),
                make_candidates(("root growth", 3, 0.5)),
                make_candidates(("salt stress", 2, 0.5), ("root growth", 2, 0.5)),
            ],
            ["salt stress", "root growth", "salt stress, root growth"],
        ),
        # words that name no field are passed over
        (
            [make_candidates(("genes", 3, 0.5), ("stress", 2, 0.5), ("frost", 1, 0.5))],
            ["frost"],
        ),
        ([make_candidates(("women", 3, 0.5), ("repair", 2, 0.5))], [None]),
        ([make_candidates(("gene therapy", 3, 0.5))], ["gene therapy"]),
    ],
)
def test_labels_are_chosen_by_score(
    found: list[list[Candidate]], expected: list[str | None]
) -> None:
    assert choose_labels(found) == expected


names = st.sampled_from(["salt", "salt stress", "frost", "Frost", "rust"])
tellings = st.builds(Candidate, names, st.floats(0.1, 9), st.integers(1, 9), st.floats(0.01, 1))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(tellings, max_size=4, unique_by=lambda c: c.term), max_size=6))
def test_labels_are_unique(found: list[list[Candidate]]) -> None:
    labels = choose_labels(found)
    kept = [label.casefold() for label in labels if label]
    assert len(set(kept)) == len(kept)
    assert all(label is None for label, of in zip(labels, found, strict=True) if not of)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("ml", True),
        ("kg ha", True),
        ("kg ha 1", True),
        ("2018", True),
        ("rice", False),
        ("ha rice", False),
        ("mg uptake", False),
    ],
)
def test_units_are_no_terms(key: str, expected: bool) -> None:
    assert is_measure(key) is expected


def test_a_frequent_unit_is_not_found() -> None:
    texts = [("Salt stress", "grain yield of 5 kg ha in 2 ml"), ("", "salt stress at 3 kg ha")]
    found = candidates(*texts, ("", "yak"), ("", "yak"), labels=[0, 0, 1, 1])
    assert terms(found[0]) == ["salt stress"]


@settings(max_examples=30, deadline=None)
@given(st.randoms())
def test_the_order_of_papers_does_not_matter(chance: Any) -> None:
    texts = [
        (f"{a} {b}", f"{b} of {a}. rice") for a in ("salt", "frost") for b in ("stress", "gene")
    ]
    labels = [0, 0, 1, 1]
    order = list(range(4))
    chance.shuffle(order)
    shuffled = candidates(*(texts[k] for k in order), labels=[labels[k] for k in order])
    assert shuffled == candidates(*texts, labels=labels)
