"""Leakage: planted leaks, and random lists compared with Python sets."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import SourceError
from citescape.evaluation.leakage.compare import Leaks, compare
from tests.evaluation.leakage.lists import make_paper_list

LONG = "On the growth of {} in dry and in wet years"


def pick(leaks: Leaks, list_: str, place: tuple[str, str] = ("", ""), role: str = "") -> Any:
    named = {"list": list_, "split": place[0], "part": place[1], "role": role}
    (row,) = (r for r in leaks.figures.to_pylist() if named.items() <= r.items())
    return row


def test_leaks_by_id_and_title() -> None:
    """b matches by id, c by its normalised title, d by both; the title of e is too short."""
    trained = make_paper_list(
        {("", "anchor"): ["a", "b", "C2"], ("", "negative"): ["d", "e1", "b"]},
        {
            "C2": "on the GROWTH of Wheat, in dry and in wet years!",
            "d": LONG.format("rye"),
            "e1": "Rye",
        },
    )
    benchmark = make_paper_list(
        {("test", "query"): ["b", "c"], ("test", "cited"): ["d"], ("val", "query"): ["e2"]},
        {"c": LONG.format("whéat"), "d": LONG.format("rye"), "e2": "Rye"},
    )
    leaks = compare(trained, benchmark)
    whole = pick(leaks, "benchmark")
    assert (whole["papers"], whole["by_id"], whole["by_title"], whole["both"]) == (4, 2, 2, 1)
    assert (whole["leaked"], whole["share"]) == (3, 3 / 4)
    learned = pick(leaks, "training")
    assert (learned["papers"], learned["leaked"], learned["share"]) == (5, 3, 3 / 5)
    assert pick(leaks, "benchmark", ("val", ""))["leaked"] == 0
    assert pick(leaks, "benchmark", ("test", "query"))["leaked"] == 2
    assert pick(leaks, "benchmark", ("test", "query"), "negative")["leaked"] == 1
    assert pick(leaks, "training", ("test", "cited"), "anchor")["leaked"] == 0
    assert pick(leaks, "training", role="negative")["share"] == 2 / 3
    rows = {(row["list"], row["paper"]): row for row in leaks.papers.to_pylist()}
    assert rows["benchmark", "c"]["same_as"] == "C2"
    assert rows["training", "C2"]["same_as"] == "c"
    assert rows["training", "b"]["places"] == "anchor, negative"
    assert rows["benchmark", "d"]["places"] == "test cited"
    assert len(rows) == 6


def test_pairs_match_in_both_directions_and_by_title() -> None:
    title = {"x": LONG.format("oats"), "y": LONG.format("oats")}
    trained = make_paper_list(
        {("", "anchor"): "abx"}, title, pairs=[("b", "a"), ("a", "x"), ("b", "x")]
    )
    pairs = [("a", "b"), ("a", "c"), ("y", "a"), ("c", "d")]
    benchmark = make_paper_list({("", "query"): "abcdy"}, title, pairs=pairs)
    found = compare(trained, benchmark).pairs.to_pylist()
    assert [(row["paper"], row["other"]) for row in found] == [("a", "b"), ("y", "a")]


def test_disjoint_lists_have_no_leaks() -> None:
    leaks = compare(
        make_paper_list({("", "anchor"): "ab"}),
        make_paper_list({("", "paper"): "cd"}, {"c": "T" * 30}),
    )
    assert {row["leaked"] for row in leaks.figures.to_pylist()} == {0}
    assert leaks.papers.num_rows == leaks.pairs.num_rows == 0
    with pytest.raises(SourceError, match="a list: expected papers; found none"):
        make_paper_list({("", "paper"): []})


papers = st.sets(st.sampled_from("abcdefghij"), min_size=1)
titles = st.dictionaries(st.sampled_from("abcdefghij"), st.sampled_from("wxyz"))


@settings(max_examples=40)
@given(papers, papers, titles, titles)
def test_counts_equal_those_of_sets(
    training_ids: set[str], query_ids: set[str], ours: dict[str, str], theirs: dict[str, str]
) -> None:
    """Titles `z` are too short to match."""

    def write(titles_by_id: dict[str, str]) -> dict[str, str]:
        return {paper: LONG.format(t) if t != "z" else "z" for paper, t in titles_by_id.items()}

    trained = make_paper_list({("", "anchor"): training_ids}, write(ours))
    benchmark = make_paper_list({("", "query"): query_ids}, write(theirs))
    leaks = compare(trained, benchmark)
    training, queries = pick(leaks, "training"), pick(leaks, "benchmark")
    assert training["by_id"] == queries["by_id"] == len(training_ids & query_ids)
    assert training["by_id"] <= min(training["papers"], queries["papers"])
    known = {theirs[paper] for paper in query_ids & set(theirs)} - {"z"}
    twins = {paper for paper in training_ids if ours.get(paper) in known}
    assert training["by_title"] == len(twins)
    assert (
        training["leaked"]
        == len(twins | (training_ids & query_ids))
        <= training["papers"]
        == len(training_ids)
    )
    assert training["by_id"] + training["by_title"] - training["both"] == training["leaked"]
    assert (training["leaked"] == 0) == (queries["leaked"] == 0)
    assert sum(row["list"] == "training" for row in leaks.papers.to_pylist()) == training["leaked"]
