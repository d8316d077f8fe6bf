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
    training_rows: list[tuple[str, str, str]],
    query_rows: list[tuple[str, str, str]],
    years: dict[str, str],
) -> None:
    training = [(f"t{k}", *row[:2], f"{row[2]} TARGETCIT") for k, row in enumerate(training_rows)]
    queries = [(f"q{k}", *row[:2], f"TARGETCIT {row[2]}") for k, row in enumerate(query_rows)]
    known = {paper for row in training_rows for paper in row[:2]}
    kept = [row for row in query_rows if row[1] in known]
    if not kept:
        return
    benchmark = apply_protocol(
        TRAIN_UNION, make_contexts(training), {"val": make_contexts(queries)}
    )

    def newer(training_paper: str, query_paper: str) -> bool:
        years_of_both = years[training_paper], years[query_paper]
        return years_of_both[1] != "" and (
            years_of_both[0] == "" or years_of_both[0] >= years_of_both[1]
        )

    assert count_overlaps(benchmark, Dates.from_iso(years))["val"] == {
        "newer_sentences": len(
            {(t[0], t[2]) for t in training_rows if any(newer(t[0], q[0]) for q in kept)}
        ),
        "newer_profiles": sum(
            any(t[1] == q[1] and newer(t[0], q[0]) for t in training_rows) for q in kept
        ),
        "undated": sum(years[q[0]] == "" for q in kept),
        "same_words": sum(
            q[2] not in (".", "") and any(t[2] == q[2] and t[0] != q[0] for t in training_rows)
            for q in kept
        ),
    }


@pytest.mark.parametrize(("date", "undated"), [("2011", 0), ("", 2)])
def test_contexts_without_a_date_count_as_undated(date: str, undated: int) -> None:
    """A query paper without a date does not change the counts of dated query papers."""
    training = make_contexts([("t", "a", "w", "TARGETCIT")])
    rows = [("q", "b", "w", "TARGETCIT"), ("r", "c", "w", "TARGETCIT")]
    benchmark = apply_protocol(TRAIN_UNION, training, {"val": make_contexts(rows)})
    known = Dates.from_iso({"a": "2010", "b": date, "c": date})
    (counts,) = count_overlaps(benchmark, known).values()
    assert (counts["newer_sentences"], counts["newer_profiles"], counts["undated"]) == (
        0,
        0,
        undated,
    )
    mixed = Dates.from_iso({"a": "2010", "b": "2010", "c": date})
    (counts,) = count_overlaps(benchmark, mixed).values()
    assert (counts["newer_sentences"], counts["newer_profiles"]) == (1, 1)
    assert counts["undated"] == undated / 2


@given(ROWS, YEARS, st.integers(1, 3))
def test_overlaps_of_folds_are_counted_against_the_other_folds(
    training_rows: list[tuple[str, str, str]], years: dict[str, str], count: int
) -> None:
    rows = [(f"t{k}", *row[:2], row[2]) for k, row in enumerate(training_rows)]
    training = make_contexts(rows)
    place = {paper: k % count for k, paper in enumerate("abcdef")}
    folds = [make_contexts(r for r in rows if place[r[1]] == fold) for fold in range(count)]
    overlaps = [
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
        "newer_profiles": sum(overlaps),
        "undated": len(rows) - len(overlaps),
    }
