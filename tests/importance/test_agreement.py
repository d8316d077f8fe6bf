"""Agreement with labels: scikit-learn, explicit resampling and brute force as references."""

from __future__ import annotations

import math
from itertools import pairwise, permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from citescape.importance.agreement import Measure, measure_agreement
from citescape.metrics.intervals import LEVEL

Floats = npt.NDArray[np.float64]
Sample = tuple[Floats, npt.NDArray[np.bool_], npt.NDArray[np.int64]]


@st.composite
def samples(draw: st.DrawFn, papers: int = 4, rows: int = 24) -> Sample:
    """Scores with ties, labels of both kinds, and citing papers numbered without gaps."""
    row = st.tuples(st.integers(0, 4), st.booleans(), st.integers(0, papers - 1))
    both = st.lists(row, min_size=2, max_size=rows).filter(lambda rs: len({r[1] for r in rs}) == 2)
    values, labels, clusters = zip(*draw(both), strict=True)
    _, numbers = np.unique(clusters, return_inverse=True)
    return np.array(values) / 4, np.array(labels), numbers.astype(np.int64)


def measure(sample: Sample, *, k: int = 1, draws: int = 20) -> dict[str, Measure]:
    values, labels, clusters = sample
    found = measure_agreement({"base": values}, labels, clusters, baseline="base", k=k, draws=draws)
    return {row.metric: row for row in found}


@given(samples())
def test_auc_and_average_precision_are_those_of_scikit_learn(sample: Sample) -> None:
    values, labels, _ = sample
    found = measure(sample)
    assert found["AUC"].value.mean == pytest.approx(roc_auc_score(labels, values), abs=1e-12)
    expected = average_precision_score(labels, values)
    assert found["AP"].value.mean == pytest.approx(expected, abs=1e-12)


def brute_precision(sample: Sample, k: int) -> float:
    """Mean over papers of the mean over all orders of tied citations of the precision at k."""
    values, labels, clusters = sample
    figures = []
    for paper in np.unique(clusters):
        own = np.flatnonzero(clusters == paper)
        if len(own) <= k or labels[own].all() or not labels[own].any():
            continue
        descending = [
            order
            for order in permutations(own.tolist())
            if all(values[a] >= values[b] for a, b in pairwise(order))
        ]
        figures.append(np.mean([labels[list(order[:k])].mean() for order in descending]))
    return float(np.mean(figures)) if figures else math.nan


@settings(max_examples=40)
@given(samples(papers=2, rows=10), st.integers(1, 4))
def test_precision_at_k_is_the_mean_over_all_orders_of_ties(sample: Sample, k: int) -> None:
    if np.bincount(sample[2]).max() > 5:  # 120 orders
        sample = sample[0], sample[1], np.arange(len(sample[0])) // 5
    found = measure(sample, k=k)[f"P@{k}"].value.mean
    assert found == pytest.approx(brute_precision(sample, k), abs=1e-12, nan_ok=True)


def random_sample(papers: int = 12, rows: int = 120, seed: int = 0) -> Sample:
    random = np.random.default_rng(seed)
    labels = random.random(rows) < 0.3
    clusters = np.sort(np.arange(rows) % papers)
    first = np.searchsorted(clusters, np.arange(papers))
    labels[first], labels[first + 1] = True, False  # each paper has citations of both kinds
    values = np.round(random.random(rows) + labels / 2, 1)
    return values, labels, clusters


def test_draws_are_those_of_explicit_resampling() -> None:
    """Each draw repeats all citations of a paper as often as the paper is drawn."""
    values, labels, clusters = random_sample()
    other, draws, seed, papers = values[::-1].copy(), 30, 5, 12
    found = measure_agreement(
        {"base": values, "other": other},
        labels,
        clusters,
        baseline="base",
        seed=seed,
        draws=draws,
    )
    counts = np.random.default_rng(seed).multinomial(
        papers, np.full(papers, 1 / papers), size=1 + draws
    )[1:]
    lists = {
        name: [brute_precision_of_ties(scores, labels, clusters, paper) for paper in range(papers)]
        for name, scores in (("base", values), ("other", other))
    }
    expected: dict[tuple[str, str], list[float]] = {}
    for weights in counts:
        rows = np.repeat(np.arange(len(values)), weights[clusters])
        for name, scores in (("base", values), ("other", other)):
            figures = {
                "AUC": roc_auc_score(labels[rows], scores[rows]),
                "AP": average_precision_score(labels[rows], scores[rows]),
                "P@1": np.average(lists[name], weights=weights),
            }
            for metric, figure in figures.items():
                expected.setdefault((name, metric), []).append(figure)
    bounds = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    for row in found:
        drawn = np.array(expected[row.score, row.metric])
        assert [row.value.low, row.value.high] == pytest.approx(np.quantile(drawn, bounds).tolist())
        if row.lead:
            lead = drawn - expected["base", row.metric]
            assert [row.lead.low, row.lead.high] == pytest.approx(
                np.quantile(lead, bounds).tolist()
            )
            smaller = min((lead <= 0).sum(), (lead >= 0).sum())
            assert row.p == min(1, 2 * (smaller + 1) / (draws + 1))


def brute_precision_of_ties(
    values: Floats, labels: npt.NDArray[np.bool_], clusters: npt.NDArray[np.int64], paper: int
) -> float:
    own = clusters == paper
    return float(labels[own][values[own] == values[own].max()].mean())


@given(st.data())
def test_the_order_of_rows_does_not_matter(data: st.DataObject) -> None:
    sample = random_sample(rows=40)
    order = np.array(data.draw(st.permutations(range(40))))
    mixed = sample[0][order], sample[1][order], sample[2][order]
    assert repr(measure(sample, k=2)) == repr(measure(mixed, k=2))


def test_the_baseline_has_no_lead_and_leads_are_differences() -> None:
    values, labels, clusters = random_sample()
    scores = {"perfect": labels.astype(float), "base": -values, "same": -values}
    rows = measure_agreement(scores, labels, clusters, baseline="base", draws=200)
    figures = {(row.score, row.metric): row for row in rows}
    assert len(rows) == len(figures) == 3 * 3
    for metric in ("AUC", "AP", "P@1"):
        base, perfect, same = (figures[name, metric] for name in ("base", "perfect", "same"))
        assert base.lead is None
        assert math.isnan(base.p)
        assert perfect.value.mean == 1
        assert perfect.lead is not None
        assert perfect.lead.mean == pytest.approx(1 - base.value.mean)
        assert 0 < perfect.lead.low <= perfect.lead.mean <= perfect.lead.high
        assert perfect.p == pytest.approx(2 * 2 / 201)  # two comparisons (Holm): doubled
        assert same.lead is not None
        assert (same.lead.low, same.lead.mean, same.lead.high, same.p) == (0, 0, 0, 1)


def test_fewer_than_10_papers_give_neither_intervals_nor_p() -> None:
    for papers, known in ((9, False), (10, True)):
        values, labels, clusters = random_sample(papers)
        scores = {"base": values, "other": -values}
        for row in measure_agreement(scores, labels, clusters, baseline="base", draws=50):
            assert math.isfinite(row.value.mean)
            assert math.isfinite(row.value.low) == math.isfinite(row.value.high) == known
            if row.lead:
                assert math.isfinite(row.lead.low) == math.isfinite(row.p) == known


def test_precision_has_no_interval_from_few_lists() -> None:
    """Twelve papers, of which three have citations of both kinds."""
    labels = np.array([True, False] * 3 + [True] * 9)
    clusters = np.array([0, 0, 1, 1, 2, 2, *range(3, 12)])
    found = measure((np.arange(15.0), labels, clusters), draws=50)
    assert math.isfinite(found["AUC"].value.low)
    assert found["P@1"].value.mean == 0
    assert math.isnan(found["P@1"].value.low)


def test_precision_without_a_list_is_missing() -> None:
    found = measure((np.arange(4.0), np.array([True, False] * 2), np.arange(4)))
    assert math.isnan(found["P@1"].value.mean)
    assert found["AUC"].value.mean == pytest.approx(1 / 4)


def test_draws_in_blocks_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = measure(random_sample(), draws=25)
    monkeypatch.setattr("citescape.importance.agreement._BLOCK", 7 * 120)
    assert repr(measure(random_sample(), draws=25)) == repr(whole)
