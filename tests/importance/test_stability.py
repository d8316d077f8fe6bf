"""How sure importance is: weights over samples of papers, ranks under other choices."""

from __future__ import annotations

from itertools import chain, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

from citescape.core.errors import ConfigError
from citescape.core.pairs import build_pairs, sort_ids
from citescape.importance.counts import PairFeatures, tally
from citescape.importance.stability import (
    compare_ranks,
    draw_weights,
    evaluate_stability,
    places,
)
from citescape.importance.steps import Stability
from citescape.importance.weights import compute_weights
from citescape.store.graph_store import GraphStore

scores = st.lists(st.integers(0, 3), min_size=2, max_size=6)


def _lists_of(size: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 3), min_size=size, max_size=size)


def features_of(counts: list[tuple[int, int, int]], selfs: list[int]) -> PairFeatures:
    """Two pairs of each citing paper, with counts I, R, D."""
    papers = len(counts) // 2
    ids = sort_ids(pa.array([*(f"a{k}" for k in range(papers)), "x", "y"]))
    citing = np.repeat(np.arange(papers), 2).astype(np.int32)
    cited = np.tile([papers, papers + 1], papers).astype(np.int32)
    table = np.zeros((len(counts), 6), np.uint8)
    table[:, [0, 2, 3]] = counts
    pairs = build_pairs(ids, citing, cited)
    return PairFeatures(pairs, table, np.array(selfs, np.uint8), np.zeros(0, np.uint16), 0)


@settings(deadline=None)
@given(st.data())
def test_ranks_are_compared_within_papers(data: st.DataObject) -> None:
    """Kendall's tau-b against scipy's, the first place against all orders of ties."""
    lists = data.draw(st.lists(scores, min_size=1, max_size=4))
    others = [
        data.draw(st.lists(st.integers(0, 3), min_size=len(s), max_size=len(s))) for s in lists
    ]
    indptr = np.cumsum([0, *map(len, lists)])
    base, other = (np.array([*chain(*parts)], float) for parts in (lists, others))
    tau, same, overlap, tied = compare_ranks(indptr, base, other)
    for k, (one, two) in enumerate(zip(lists, others, strict=True)):
        expected = kendalltau(one, two).statistic
        assert tau[k] == pytest.approx(expected, nan_ok=True)
        assert same[k] == pytest.approx(np.sum(brute_places(one, 1) * brute_places(two, 1)))
        n = min(3, len(one))
        common = np.sum(brute_places(one, n) * brute_places(two, n)) / n
        assert overlap[k] == pytest.approx(common)
        pairs = [(i, j) for i in range(len(two)) for j in range(i)]
        assert tied[k] == pytest.approx(np.mean([two[i] == two[j] for i, j in pairs]))


def brute_places(values: list[int], k: int) -> np.ndarray:
    """Share of all orders of the elements, sorted by value, in which each is among the first k."""
    counted, orders = np.zeros(len(values)), 0
    for order in permutations(range(len(values))):
        ranked = sorted(order, key=lambda i: -values[i])  # stable: ties in the drawn order
        counted[ranked[:k]] += 1
        orders += 1
    return counted / orders


@given(scores, st.integers(1, 6))
def test_places_add_up_to_k(values: list[int], k: int) -> None:
    share = places(np.array(values, float), k)
    assert share.sum() == pytest.approx(min(k, len(values)))


def test_a_paper_with_one_reference_has_no_ranks() -> None:
    figures = compare_ranks(np.array([0, 1]), np.array([1.0]), np.array([2.0]))
    assert all(np.isnan(one[0]) for one in figures)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=8, max_size=8), st.integers(0, 99))
def test_drawn_weights_are_those_of_the_drawn_papers(
    counts: list[tuple[int, int, int]], seed: int
) -> None:
    """Each draw equals entropy weights computed from the pairs of the drawn papers, repeated."""
    features = features_of(counts, [1, 0, 0, 1, 0, 0, 0, 1])
    config = Stability(draws=5, seed=seed)
    drawn = draw_weights(features, config, np.ones(8, bool))
    times = np.random.default_rng(seed).multinomial(4, np.full(4, 1 / 4), size=5)
    for row, repeated in zip(drawn, times, strict=True):
        papers = np.repeat(np.arange(4), repeated)
        rows = np.concatenate([[2 * k, 2 * k + 1] for k in papers])
        again = features_of([counts[k] for k in rows], features.selfs[rows].tolist())
        histograms = [tally(again, "R")[name] for name in config.components]
        try:
            expected = compute_weights(histograms, "entropy")
        except ConfigError:  # nothing varies among the drawn papers
            assert np.isnan(row).all()
            continue
        assert row.tolist() == pytest.approx(list(expected.values()), abs=1e-9)
        for weight, histogram in zip(row, histograms, strict=True):
            assert histogram.varies or weight == 0


def test_samples_with_undefined_weights_are_left_out_and_counted(
    store: GraphStore, load: Any, make_graph: Any, tmp_path: Path
) -> None:
    """Only I of paper 0 varies, so that samples of paper 1 alone have no weights."""
    pairs = ((0, 2), (0, 3), (1, 2), (1, 3))
    load(store, make_graph(4, pairs, (((0, 2), "I", None),)))
    config = Stability(features="I,R", draws=40, ranked_draws=40)
    run = evaluate_stability(store, config, runs=tmp_path)
    times = np.random.default_rng(config.seed).multinomial(2, [0.5, 0.5], size=40)
    undefined = int((times[:, 0] == 0).sum())
    assert 0 < undefined < 40
    assert run.counts["undefined_draws"] == undefined
    assert f"{undefined} samples left out: no component varies" in str(run)
    rows = {row["component"]: (row["low"], row["high"]) for row in run.weights.to_pylist()}
    assert rows == {"I": (1, 1), "R": (0, 0)}
    (row,) = [r for r in run.arrow.to_pylist() if r["choice"] == "weights of a sample of papers"]
    assert row["tau"] == 1


def test_sections_are_compared_where_a_model_typed_them(
    store: GraphStore, load: Any, make_graph: Any, tmp_path: Path
) -> None:
    """Rules leave `Section 0` of paper 0 open, so that the order of its references turns round."""
    pairs = ((0, 1), (0, 2), (1, 2))
    mentions = (((0, 1), "D", None), ((0, 1), "D", None), ((0, 2), "R", True), ((1, 2), "I", None))
    load(store, make_graph(3, pairs, mentions))
    config = Stability(weights="uniform", draws=2, ranked_draws=1)
    rows = evaluate_stability(store, config, runs=tmp_path).arrow.to_pylist()
    choices = {row["choice"]: row for row in rows}
    assert "section types by rules only" not in choices
    assert choices["weights from papers of all types"]["tau"] == 1
    assert choices['"Results and Discussion" half in each']["tau"] == 1
    store.write("MATCH (s:Section) WHERE s.type = 'D' SET s.type_run = 'a-model'")
    rows = evaluate_stability(store, config, runs=tmp_path).arrow.to_pylist()
    choices = {row["choice"]: row for row in rows}
    assert choices["section types by rules only"]["tau"] == -1


@pytest.mark.parametrize(
    ("settings", "alternative"),
    [
        ({"preset": "used"}, "entropy weights"),
        ({"weights": "uniform", "features": "I,R"}, "entropy weights"),
        ({"features": "I,R"}, "uniform weights"),
    ],
)
def test_only_one_choice_differs(
    settings: dict[str, Any],
    alternative: str,
    store: GraphStore,
    load: Any,
    make_graph: Any,
    tmp_path: Path,
) -> None:
    """All papers have one type. I and M, once each, weigh more by entropy than R everywhere."""
    pairs = ((0, 2), (0, 3), (1, 2), (1, 3))
    sections = ((0, "R"), (0, "R"), (1, "I"), (1, "M"), (2, "R"), (3, "R"))
    load(store, make_graph(4, pairs, tuple((pairs[k], name, None) for k, name in sections)))
    config = Stability(**settings, draws=2, ranked_draws=1)
    rows = evaluate_stability(store, config, runs=tmp_path).arrow.to_pylist()
    choices = {row["choice"]: row for row in rows}
    assert {"entropy weights", "uniform weights"} & set(choices) == {alternative}
    assert choices["weights from papers of all types"]["tau"] == pytest.approx(1)
    assert choices[alternative]["tau"] < 1
