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


def make_relevant(*pairs: tuple[str, str]) -> RelevantWorks:
    queries = contexts(*pairs)
    return RelevantWorks.from_contexts(queries, queries.ids, PAPERS, warm=WARMED)


def test_mrr_counts_the_first_of_several_works() -> None:
    found = np.array([[5, 2, 1, 0]], np.int32)
    figures = measure(found, make_relevant(("a", "p0"), ("a", "p2")))[ALL].values
    assert figures["mrr"].tolist() == [1 / 2]


def test_recall_and_ndcg_of_a_single_work() -> None:
    found = np.array([[7, 6, 5, 4, 3, 2, 1, 0]], np.int32)
    figures = measure(found, make_relevant(("a", "p2")), cuts=(5, 6))[ALL].values
    assert figures["mrr"].tolist() == [1 / 6]
    assert figures["recall@5"].tolist() == [0.0]
    assert figures["recall@6"].tolist() == [1.0]
    assert figures["ndcg@5"].tolist() == [0.0]
    assert figures["ndcg@6"].tolist() == [1 / log2(6 + 1)]


def test_warm_and_cold_works_are_ranked_in_the_same_lists() -> None:
    found = np.array([[5, 2, 1, 0]], np.int32)
    figures = measure(found, make_relevant(("a", "p0"), ("a", "p5")))
    assert figures[WARM].values["mrr"].tolist() == [1 / 4]
    assert figures[COLD].values["mrr"].tolist() == [1.0]


def test_means_exclude_contexts_without_relevant_works() -> None:
    found = np.array([[0, 1], [5, 4]], np.int32)
    figures = measure(found, make_relevant(("a", "p0"), ("b", "p5")))
    assert figures[WARM].queries.to_pylist() == ["a"]
    assert figures[COLD].queries.to_pylist() == ["b"]
    assert figures[ALL].queries.to_pylist() == ["a", "b"]


def test_missing_works_score_zero() -> None:
    figures = measure(np.array([[1, -1]], np.int32), make_relevant(("a", "p0")))[ALL].values
    assert all(value.tolist() == [0.0] for value in figures.values())


def test_contexts_that_are_no_queries_are_left_out() -> None:
    all_contexts = contexts(("a", "p0"), ("b", "p1"))
    wanted = RelevantWorks.from_contexts(all_contexts, pa.array(["b"]), PAPERS, warm=WARMED)
    assert (wanted.rows.tolist(), wanted.cited.tolist()) == ([0], [1])


def test_cuts_beyond_the_list_length_are_left_out() -> None:
    figures = measure(np.zeros((1, 10), np.int32), make_relevant(("a", "p0")))[ALL].values
    assert list(figures) == ["mrr", "recall@5", "recall@10", "ndcg@5", "ndcg@10", "mrr@10"]


def test_mrr_at_k_equals_the_mrr_of_cut_lists() -> None:
    chance = np.random.default_rng(1)
    papers = pa.array([f"p{place:03}" for place in range(400)], pa.string())
    rows = [{"context": f"c{k}", "citing": "q", "cited": f"p{k:03}"} for k in range(40)]
    queries = Contexts(pa.Table.from_pylist(rows))
    wanted = RelevantWorks.from_contexts(queries, queries.ids, papers, warm=np.ones(400, np.bool_))
    found = np.stack([chance.permutation(400)[:300] for _ in range(40)]).astype(np.int32)
    whole = measure(found, wanted)[ALL].values
    for k in (10, 50, 100, 300):
        cut = measure(found[:, :k], wanted)[ALL].values["mrr"]
        assert whole[f"mrr@{k}"].tolist() == cut.tolist()
    assert "mrr@1000" not in whole


def test_warm_only_metrics_use_separate_lists() -> None:
    found = np.array([[5, 4, 2, 0]], np.int32)
    alone = np.array([[2, 0, -1, -1]], np.int32)
    figures = measure(found, make_relevant(("a", "p0"), ("a", "p5")), warm_only=alone)
    assert figures[WARM].values["mrr"].tolist() == [1 / 4]
    assert figures[WARM_ONLY].values["mrr"].tolist() == [1 / 2]
    assert set(figures) == set(CONDITIONS)


@given(st.data())
def test_first_ranks_equal_those_of_a_plain_search(data: st.DataObject) -> None:
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
def test_recall_grows_with_k_and_bounds_ndcg(condition: str) -> None:
    chance = np.random.default_rng(0)
    found = np.stack([chance.permutation(8) for _ in range(50)]).astype(np.int32)
    pairs = [(f"c{row:02}", f"p{paper}") for row in range(50) for paper in (row % 4, 4 + row % 3)]
    figures = measure(found, make_relevant(*pairs), cuts=(1, 2, 5, 8), warm_only=found)
    values = figures[condition].values
    recalls = [values[f"recall@{cut}"].mean() for cut in (1, 2, 5, 8)]
    assert recalls == sorted(recalls)
    assert recalls[-1] == 1.0
    assert all((values[f"ndcg@{cut}"] <= values[f"recall@{cut}"]).all() for cut in (1, 2, 5, 8))
    assert max(CUTS) == 1000


def test_resampling_keeps_sentences_of_a_paper_together() -> None:
    rows = [
        {"context": "a", "citing": "x", "cited": "p0"},
        {"context": "b", "citing": "y", "cited": "p1"},
        {"context": "c", "citing": "x", "cited": "p5"},
    ]
    queries = Contexts(pa.Table.from_pylist(rows))
    wanted = RelevantWorks.from_contexts(queries, queries.ids, PAPERS, warm=WARMED)
    figures = measure(np.zeros((3, 5), np.int32), wanted)
    assert figures[ALL].clusters.tolist() == [0, 1, 0]  # type: ignore[union-attr]
    assert figures[COLD].clusters.tolist() == [0]  # type: ignore[union-attr]
