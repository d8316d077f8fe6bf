from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.recommend.dates import Dates
from citescape.recommend.overlaps import count_fold_overlaps, count_overlaps
from citescape.recommend.protocol import TRAIN_UNION, apply_protocol
from tests.recommend.libraries import make_contexts

PAPERS = st.sampled_from("abcdef")
WORDS = st.sampled_from(["peas grow", "beans grow", "rice", ".", ""])
ROWS = st.lists(st.tuples(PAPERS, PAPERS, WORDS), min_size=1, max_size=12)
YEARS = st.fixed_dictionaries({paper: st.sampled_from(["2010", "2011", ""]) for paper in "abcdef"})


@given(ROWS, ROWS, YEARS)
def test_counts_are_those_of_the_definition(
    taught: list[tuple[str, str, str]], asked: list[tuple[str, str, str]], years: dict[str, str]
) -> None:
    training = [(f"t{k}", *row[:2], f"{row[2]} TARGETCIT") for k, row in enumerate(taught)]
    queries = [(f"q{k}", *row[:2], f"TARGETCIT {row[2]}") for k, row in enumerate(asked)]
    known = {paper for row in taught for paper in row[:2]}
    kept = [row for row in asked if row[1] in known]
    if not kept:
        return
    made = apply_protocol(TRAIN_UNION, make_contexts(training), {"val": make_contexts(queries)})

    def newer(teacher: str, asker: str) -> bool:
        both = years[teacher], years[asker]
        return both[1] != "" and (both[0] == "" or both[0] >= both[1])

    assert count_overlaps(made, Dates.from_iso(years))["val"] == {
        "newer_sentences": len(
            {(t[0], t[2]) for t in taught if any(newer(t[0], q[0]) for q in kept)}
        ),
        "newer_profiles": sum(
            any(t[1] == q[1] and newer(t[0], q[0]) for t in taught) for q in kept
        ),
        "undated": sum(years[q[0]] == "" for q in kept),
        "same_words": sum(
            q[2] not in (".", "") and any(t[2] == q[2] and t[0] != q[0] for t in taught)
            for q in kept
        ),
    }


@pytest.mark.parametrize(("date", "undated"), [("2011", 0), ("", 2)])
def test_of_contexts_without_a_date_no_age_is_told(date: str, undated: int) -> None:
    """One paper that asks and has no date makes nothing newer for another that has one."""
    training = make_contexts([("t", "a", "w", "TARGETCIT")])
    rows = [("q", "b", "w", "TARGETCIT"), ("r", "c", "w", "TARGETCIT")]
    made = apply_protocol(TRAIN_UNION, training, {"val": make_contexts(rows)})
    known = Dates.from_iso({"a": "2010", "b": date, "c": date})
    (told,) = count_overlaps(made, known).values()
    assert (told["newer_sentences"], told["newer_profiles"], told["undated"]) == (0, 0, undated)
    mixed = Dates.from_iso({"a": "2010", "b": "2010", "c": date})
    (told,) = count_overlaps(made, mixed).values()
    assert (told["newer_sentences"], told["newer_profiles"]) == (1, 1)
    assert told["undated"] == undated / 2


@given(ROWS, YEARS, st.integers(1, 3))
def test_folds_are_asked_of_the_others(
    taught: list[tuple[str, str, str]], years: dict[str, str], count: int
) -> None:
    rows = [(f"t{k}", *row[:2], row[2]) for k, row in enumerate(taught)]
    training = make_contexts(rows)
    place = {paper: k % count for k, paper in enumerate("abcdef")}
    folds = [make_contexts(r for r in rows if place[r[1]] == fold) for fold in range(count)]
    asked = [
        any(
            other[2] == row[2]
            and place[other[1]] != place[row[1]]
            and (years[other[1]] == "" or years[other[1]] >= years[row[1]])
            for other in rows
        )
        for row in rows
        if years[row[1]]
    ]
    assert count_fold_overlaps(folds, training, Dates.from_iso(years)) == {
        "newer_profiles": sum(asked),
        "undated": len(rows) - len(asked),
    }
