from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.metrics.figures import Figure, Figures, PerQuery
from citescape.metrics.intervals import adjust, bootstrap, compare
from citescape.metrics.summary import Resampling
from citescape.metrics.task_summary import (
    TaskFigures,
    compare_tasks,
    list_task_queries,
    summarise_tasks,
)

HOW = Resampling(seed=3, draws=500)
CHANCE = np.random.default_rng(5)


def ranked(task: str, queries: list[str], metric: str = "map") -> Figure:
    values = CHANCE.random(len(queries))
    each = PerQuery(pa.array(queries, pa.string()), values)
    return Figure(task, metric, 100 * values.mean(), len(queries), per_query=each)


def make_task_figures(*figures: Figure, average: float = float("nan")) -> TaskFigures:
    return TaskFigures(Figures(figures), {"average": average})


ALL = [f"q{n:02}" for n in range(30)]
SYSTEMS = {
    "one": make_task_figures(
        ranked("cite", ALL), ranked("view", ALL), Figure("mag", "f1", 81.4, 7), average=50
    ),
    "other": make_task_figures(
        ranked("cite", ALL[5:]), ranked("view", ALL), Figure("mag", "f1", 80.2, 7)
    ),
}


def test_means_over_queries_have_intervals() -> None:
    rows = summarise_tasks(SYSTEMS, HOW).to_pylist()
    rows_by_key = {(row["system"], row["condition"], row["metric"]): row for row in rows}
    assert len(rows) == 8
    each = SYSTEMS["one"].figures["cite", "map"].per_query
    assert each is not None
    found, expected = rows_by_key["one", "cite", "map"], bootstrap(each.values, seed=3, draws=500)
    assert (found["mean"], found["low"], found["high"]) == pytest.approx(
        (expected.mean, expected.low, expected.high)
    )
    assert rows_by_key["one", "mag", "f1"]["mean"] == pytest.approx(0.814)
    assert rows_by_key["one", "mag", "f1"]["low"] is None
    assert rows_by_key["one", "average", "average"]["mean"] == 0.5
    assert rows_by_key["other", "average", "average"]["mean"] is None


def test_a_weighted_mean_has_no_interval() -> None:
    each = PerQuery(pa.array(["a", "b"]), np.array([0.0, 1.0]), np.array([1.0, 3.0]))
    row = summarise_tasks(
        {"x": make_task_figures(Figure("recomm", "ndcg", 75, 2, per_query=each))}
    ).to_pylist()[0]
    assert (row["mean"], row["low"]) == (0.75, None)


def test_differences_use_queries_ranked_by_both_systems() -> None:
    table = compare_tasks(SYSTEMS, against="one", resampling=HOW)
    assert table is not None
    rows = {row["condition"]: row for row in table.to_pylist()}
    assert set(rows) == {"cite", "view"}
    assert (rows["cite"]["queries"], rows["view"]["queries"]) == (25, 30)
    both = [SYSTEMS[name].figures["cite", "map"].per_query for name in ("other", "one")]
    assert both[0] is not None
    assert both[1] is not None
    expected = compare(both[0].values, both[1].values[5:], seed=3, draws=500)
    assert rows["cite"]["difference"] == expected.interval.mean
    assert rows["cite"]["p"] == expected.p
    adjusted = adjust(np.array([rows[task]["p"] for task in ("cite", "view")]))
    assert [rows[task]["p_adjusted"] for task in ("cite", "view")] == adjusted.tolist()


def test_systems_without_common_tasks() -> None:
    assert compare_tasks({"one": SYSTEMS["one"]}, against="one") is None
    apart = {
        "one": make_task_figures(ranked("cite", ["a"])),
        "other": make_task_figures(ranked("cite", ["b"])),
    }
    assert compare_tasks(apart, against="one") is None
    with pytest.raises(ConfigError, match="no system 'third'"):
        compare_tasks(SYSTEMS, against="third")


def test_queries_become_rows() -> None:
    table = list_task_queries(SYSTEMS)
    assert table.num_rows == 30 + 30 + 25 + 30
    assert set(table["condition"].to_pylist()) == {"cite", "view"}
    assert list_task_queries({"x": make_task_figures(Figure("mag", "f1", 80, 7))}).num_rows == 0
