"""Metrics by hand."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from citescape.core.errors import ConfigError
from citescape.metrics import METRICS, f1, find_metric, kendall_tau
from citescape.metrics.ranked import Qrels, RankedQueries, rank
from citescape.search.listed import Rankings


def table(what: str, **queries: dict[str, float]) -> pa.Table:
    rows = [(q, d, value) for q, listed in queries.items() for d, value in listed.items()]
    types = (pa.string(), pa.string(), pa.float64())
    columns = list(zip(*rows, strict=True)) or [()] * 3
    arrays = [pa.array(column, kind) for column, kind in zip(columns, types, strict=True)]
    return pa.table(arrays, ["query", "document", what])


def ranked(scores: dict[str, float], relevant: dict[str, float]) -> RankedQueries:
    """Ranking of a single query."""
    return rank(
        Rankings.from_rows(table("score", q=scores)),
        Qrels.from_rows(table("relevance", q=relevant)),
    )


# ranks 1 and 3 of four are relevant; a third relevant document is missing
RANKED = ranked({"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.1}, {"a": 1, "c": 1, "e": 1, "b": 0})
FOUND = 1 / math.log2(2) + 1 / math.log2(4)
THREE = 1 + 1 / math.log2(3) + 1 / math.log2(4)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("map", (1 / 1 + 2 / 3) / 3),
        ("map_ret", (1 / 1 + 2 / 3) / 2),
        ("ndcg", FOUND / THREE),
        ("ndcg_ret", FOUND / (1 + 1 / math.log2(3))),
        ("ndcg@2", 1 / (1 + 1 / math.log2(3))),
        ("recall@1", 1 / 3),
        ("recall@3", 2 / 3),
        ("recall", 2 / 3),
        ("precision@1", 1),
        ("precision@8", 2 / 8),
        ("mrr", 1),
        ("hit@1", 1),
    ],
)
def test_metrics_of_one_ranking_by_hand(name: str, value: float) -> None:
    assert find_metric(name)(RANKED)[0] == pytest.approx(value, abs=1e-15)


def test_ties_are_sorted_by_descending_id() -> None:
    scores = {"a": 1.0, "b": 1.0, "c": 1.0}
    found = [find_metric("mrr")(ranked(scores, {name: 1}))[0] for name in "cba"]
    assert found == [1, 1 / 2, 1 / 3]


def test_scores_are_compared_in_single_precision_like_trec_eval() -> None:
    assert find_metric("mrr")(ranked({"a": 1.0 + 1e-9, "b": 1.0}, {"b": 1}))[0] == 1


def test_negative_judgements_are_not_relevant() -> None:
    for name in ("map", "ndcg", "recall", "mrr"):
        own, other = ({"a": 1, "b": value} for value in (-1, 0))
        scores = {"b": 2.0, "a": 1.0}
        assert find_metric(name)(ranked(scores, own)) == find_metric(name)(ranked(scores, other))


def test_graded_gains() -> None:
    found = find_metric("ndcg")(ranked({"a": 2.0, "b": 1.0}, {"a": 1, "b": 3}))[0]
    assert found == pytest.approx((1 + 3 / math.log2(3)) / (3 + 1 / math.log2(3)))


def test_a_query_without_ranking_scores_zero() -> None:
    run = Rankings.from_rows(table("score", other={"a": 1}))
    found = rank(run, Qrels.from_rows(table("relevance", q={"a": 1}, other={"a": 1})))
    assert found.queries.to_pylist() == ["other", "q"]
    assert found.retrieved.tolist() == [1, 0]
    for name in ("map", "map_ret", "ndcg", "ndcg_ret", "recall", "mrr", "hit@3", "precision@1"):
        assert find_metric(name)(found).tolist() == [1, 0], name


def test_an_empty_run_scores_zero() -> None:
    judged = Qrels.from_rows(table("relevance", q={"a": 1}))
    assert find_metric("map")(rank(Rankings.from_rows(table("score")), judged)).tolist() == [0]
    run = Rankings.from_rows(table("score", q={"a": 1}))
    assert len(rank(run, Qrels.from_rows(table("relevance")))) == 0


NO_METRICS = ("", "MAP", "map@5", "precision", "hit", "ndcg@0", "bleu", "ndcg@")


@pytest.mark.parametrize("name", NO_METRICS)
def test_unknown_metrics_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match=r"expected one of: map, .*hit@K"):
        find_metric(name)


def test_each_metric_has_a_name() -> None:
    assert [find_metric(name + "@5" * bool(how)) for name, (_, how) in METRICS.items()]


labels = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40)


@given(labels, st.sampled_from(["macro", "weighted"]))
def test_f1_equals_scikit_learn(pairs: list[tuple[int, int]], average: str) -> None:
    truth, predicted = np.array(pairs).T
    expected = f1_score(truth, predicted, average=average, zero_division=0)
    assert f1(truth, predicted, average=average) == pytest.approx(expected, abs=1e-12)


@given(st.integers(0, 2**16 - 1), st.integers(0, 2**16 - 1), st.sampled_from(["macro", "weighted"]))
def test_multilabel_f1_equals_scikit_learn(
    true_bits: int, predicted_bits: int, average: str
) -> None:
    truth, predicted = (
        np.array([(n >> k) & 1 for k in range(16)]).reshape(4, 4)
        for n in (true_bits, predicted_bits)
    )
    expected = f1_score(truth, predicted, average=average, zero_division=0)
    assert f1(truth, predicted, average=average) == pytest.approx(expected, abs=1e-12)


def test_f1_by_hand() -> None:
    # a: 1 correct of 2 true and 1 predicted, F1 2/3; b: 1 correct of 1 true and 2 predicted, F1 2/3
    assert f1(["a", "a", "b"], ["a", "b", "b"]) == pytest.approx(2 / 3)
    # c is only predicted: F1 0; a has 1 correct of 1 true and 1 predicted
    assert f1(["a", "b"], ["a", "c"]) == pytest.approx(1 / 3)
    assert f1(["a", "b"], ["a", "c"], average="weighted") == pytest.approx(1 / 2)


def test_f1_of_invalid_input_is_refused() -> None:
    with pytest.raises(ConfigError, match="average is 'micro'; expected one of: macro, weighted"):
        f1([1], [1], average="micro")
    for truth, predicted in (([1], [1, 2]), ([], [])):
        with pytest.raises(ConfigError, match="and a prediction for each"):
            f1(truth, predicted)


def test_kendall_by_hand() -> None:
    # pairs: (1,2) same, (1,3) same, (2,3) opposite
    assert kendall_tau([1, 2, 3], [1, 3, 2]) == pytest.approx(1 / 3)
    # tied in the first only: (P - Q) / sqrt((P + Q) (P + Q + 1)) = 2 / sqrt(2 * 3)
    assert kendall_tau([1, 1, 2], [1, 2, 3]) == pytest.approx(2 / math.sqrt(6))
    assert math.isnan(kendall_tau([1, 1], [1, 2]))
    assert math.isnan(kendall_tau([1], [1]))


def test_kendall_of_invalid_input_is_refused() -> None:
    with pytest.raises(ConfigError, match="two lists of numbers"):
        kendall_tau([1, 2], [1])
    with pytest.raises(ConfigError, match="finite numbers"):
        kendall_tau([1, math.nan], [1, 2])
