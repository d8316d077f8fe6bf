from __future__ import annotations

from math import log2

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.recommend.contexts import Contexts
from citescape.recommend.lcr.measure import (
    ALL,
    COLD,
    CONDITIONS,
    CUTS,
    WARM,
    WARM_ONLY,
    RelevantWorks,
    find_first_ranks,
    measure,
)

PAPERS = pa.array([f"p{place}" for place in range(8)], pa.string())
WARMED = np.array([True, True, True, True, False, False, False, False])


def contexts(*pairs: tuple[str, str]) -> Contexts:
    rows = [{"context": context, "citing": "q", "cited": cited} for context, cited in pairs]
    return Contexts(pa.Table.from_pylist(rows))


def want(*pairs: tuple[str, str]) -> RelevantWorks:
    asked = contexts(*pairs)
    return RelevantWorks.from_contexts(asked, asked.ids, PAPERS, warm=WARMED)


def test_the_first_of_several_works_counts() -> None:
    found = np.array([[5, 2, 1, 0]], np.int32)
    figures = measure(found, want(("a", "p0"), ("a", "p2")))[ALL].values
    assert figures["mrr"].tolist() == [1 / 2]


def test_figures_of_one_work_are_recall_and_ndcg_as_published() -> None:
    found = np.array([[7, 6, 5, 4, 3, 2, 1, 0]], np.int32)
    figures = measure(found, want(("a", "p2")), cuts=(5, 6))[ALL].values
    assert figures["mrr"].tolist() == [1 / 6]
    assert figures["recall@5"].tolist() == [0.0]
    assert figures["recall@6"].tolist() == [1.0]
    assert figures["ndcg@5"].tolist() == [0.0]
    assert figures["ndcg@6"].tolist() == [1 / log2(6 + 1)]


def test_warm_and_cold_works_are_looked_for_in_the_same_lists() -> None:
    found = np.array([[5, 2, 1, 0]], np.int32)
    figures = measure(found, want(("a", "p0"), ("a", "p5")))
    assert figures[WARM].values["mrr"].tolist() == [1 / 4]
    assert figures[COLD].values["mrr"].tolist() == [1.0]


def test_contexts_without_such_works_are_in_no_mean() -> None:
    found = np.array([[0, 1], [5, 4]], np.int32)
    figures = measure(found, want(("a", "p0"), ("b", "p5")))
    assert figures[WARM].queries.to_pylist() == ["a"]
    assert figures[COLD].queries.to_pylist() == ["b"]
    assert figures[ALL].queries.to_pylist() == ["a", "b"]


def test_what_is_not_in_the_list_has_no_figure_but_0() -> None:
    figures = measure(np.array([[1, -1]], np.int32), want(("a", "p0")))[ALL].values
    assert all(value.tolist() == [0.0] for value in figures.values())


def test_contexts_that_were_not_asked_are_left_out() -> None:
    asked = contexts(("a", "p0"), ("b", "p1"))
    wanted = RelevantWorks.from_contexts(asked, pa.array(["b"]), PAPERS, warm=WARMED)
    assert (wanted.rows.tolist(), wanted.cited.tolist()) == ([0], [1])


def test_figures_are_of_lists_that_are_long_enough() -> None:
    figures = measure(np.zeros((1, 10), np.int32), want(("a", "p0")))[ALL].values
    assert list(figures) == ["mrr", "recall@5", "recall@10", "ndcg@5", "ndcg@10", "mrr@10"]


def test_the_mrr_of_lists_of_a_length_is_that_of_cut_lists() -> None:
    chance = np.random.default_rng(1)
    papers = pa.array([f"p{place:03}" for place in range(400)], pa.string())
    rows = [{"context": f"c{k}", "citing": "q", "cited": f"p{k:03}"} for k in range(40)]
    asked = Contexts(pa.Table.from_pylist(rows))
    wanted = RelevantWorks.from_contexts(asked, asked.ids, papers, warm=np.ones(400, np.bool_))
    found = np.stack([chance.permutation(400)[:300] for _ in range(40)]).astype(np.int32)
    whole = measure(found, wanted)[ALL].values
    for k in (10, 50, 100, 300):
        cut = measure(found[:, :k], wanted)[ALL].values["mrr"]
        assert whole[f"mrr@{k}"].tolist() == cut.tolist()
    assert "mrr@1000" not in whole


def test_warm_works_among_warm_ones_are_of_lists_of_their_own() -> None:
    found = np.array([[5, 4, 2, 0]], np.int32)
    alone = np.array([[2, 0, -1, -1]], np.int32)
    figures = measure(found, want(("a", "p0"), ("a", "p5")), warm_only=alone)
    assert figures[WARM].values["mrr"].tolist() == [1 / 4]
    assert figures[WARM_ONLY].values["mrr"].tolist() == [1 / 2]
    assert set(figures) == set(CONDITIONS)


@given(st.data())
def test_first_ranks_are_those_of_a_plain_search(data: st.DataObject) -> None:
    lists = data.draw(
        st.lists(st.permutations(range(8)).map(lambda order: order[:5]), min_size=1, max_size=5)
    )
    pairs = data.draw(
        st.lists(st.tuples(st.integers(0, len(lists) - 1), st.integers(0, 7)), max_size=12)
    )
    rows = np.array([row for row, _ in pairs], np.int64)
    cited = np.array([paper for _, paper in pairs], np.int64)
    plain = [
        min(
            (
                lists[row].index(paper) + 1
                for own, paper in pairs
                if own == row and paper in lists[row]
            ),
            default=np.inf,
        )
        for row in range(len(lists))
    ]
    assert find_first_ranks(np.array(lists, np.int32), rows, cited).tolist() == plain


@pytest.mark.parametrize("condition", CONDITIONS)
def test_recall_grows_and_ndcg_stays_below_it(condition: str) -> None:
    chance = np.random.default_rng(0)
    found = np.stack([chance.permutation(8) for _ in range(50)]).astype(np.int32)
    pairs = [(f"c{row:02}", f"p{paper}") for row in range(50) for paper in (row % 4, 4 + row % 3)]
    figures = measure(found, want(*pairs), cuts=(1, 2, 5, 8), warm_only=found)
    values = figures[condition].values
    recalls = [values[f"recall@{cut}"].mean() for cut in (1, 2, 5, 8)]
    assert recalls == sorted(recalls)
    assert recalls[-1] == 1.0
    assert all((values[f"ndcg@{cut}"] <= values[f"recall@{cut}"]).all() for cut in (1, 2, 5, 8))
    assert max(CUTS) == 1000


def test_sentences_of_one_paper_are_drawn_together() -> None:
    rows = [
        {"context": "a", "citing": "x", "cited": "p0"},
        {"context": "b", "citing": "y", "cited": "p1"},
        {"context": "c", "citing": "x", "cited": "p5"},
    ]
    asked = Contexts(pa.Table.from_pylist(rows))
    wanted = RelevantWorks.from_contexts(asked, asked.ids, PAPERS, warm=WARMED)
    figures = measure(np.zeros((3, 5), np.int32), wanted)
    assert figures[ALL].clusters.tolist() == [0, 1, 0]  # type: ignore[union-attr]
    assert figures[COLD].clusters.tolist() == [0]  # type: ignore[union-attr]
