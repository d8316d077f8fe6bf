from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

from citescape.core.errors import ConfigError
from citescape.metrics.evaluation_run import QUERIES
from citescape.metrics.intervals import WHOLE, bootstrap_each
from citescape.metrics.summary import Resampling
from citescape.recommend.lcr.benchmark import LcrTask, build_lcr, open_lcr
from citescape.recommend.lcr.evaluate import evaluate_lcr
from citescape.recommend.lcr.grid import GridConfig, try_weights
from citescape.recommend.lcr.prepare import LcrEvaluationConfig
from citescape.recommend.profiler import ProfileWeights
from citescape.recommend.profiling import ProfileConfig
from citescape.recommend.queries import QueryWeights
from citescape.recommend.steps import BenchmarkLcr
from tests.recommend.lcr.libraries import make_library


def test_grid_values_are_multiples_of_the_step() -> None:
    assert GridConfig(step=0.2).values == [0, 1 / 5, 2 / 5, 3 / 5, 4 / 5, 1]
    assert GridConfig(step=0.3333333).values == [0, 1 / 3, 2 / 3, 1]
    assert all(1 - value >= 0 for value in GridConfig(step=0.1).values)


@pytest.mark.parametrize("settings", [{"step": 0.0}, {"step": 1.5}, {"step": 0.3}, {"queries": -1}])
def test_invalid_settings_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match="expected"):
        GridConfig(**settings)  # type: ignore[arg-type]


def test_grid_values_equal_those_of_evaluations(task: LcrTask, runs: Path) -> None:
    grid_run = try_weights(task, config=GridConfig(step=0.5, queries=0), runs=runs)
    rows = [row for row in grid_run.grid.to_pylist() if row["system"] == "profiler"]
    assert [(row["alpha"], row["delta"]) for row in rows] == [
        (alpha, delta) for alpha in (0, 0.5, 1) for delta in (0, 0.5, 1)
    ]
    weights = ProfileWeights(0.5, 0.5, 0.5, 0.5)
    evaluation = LcrEvaluationConfig(
        ("profiler",),
        "val",
        profiles=ProfileConfig(weights),
        query_weights=QueryWeights(weights),
        resampling=Resampling(draws=10),
    )
    figures = evaluate_lcr(task, evaluation, runs=runs).figures.to_pylist()
    own = {row["metric"]: row["mean"] for row in figures if row["condition"] == "all"}
    assert {name: rows[4][name] for name in ("mrr", "ndcg@10")} == pytest.approx(
        {name: own[name] for name in ("mrr", "ndcg@10")}
    )


def test_the_first_of_equal_best_weights_wins(task: LcrTask, runs: Path) -> None:
    grid_run = try_weights(task, config=GridConfig(step=0.5, queries=0), runs=runs)
    best = grid_run.find_best()
    rows = [row for row in grid_run.grid.to_pylist() if row["system"] == "profiler"]
    assert best["mrr"] == max(row["mrr"] for row in rows)
    fused = [row for row in grid_run.grid.to_pylist() if row["system"] == "fused"]
    assert {(row["alpha"], row["delta"]) for row in fused} == {(best["alpha"], best["delta"])}
    assert [row["word_weight"] for row in fused] == [0, 0.5, 1]


def test_differences_are_relative_to_the_given_weights(runs: Path) -> None:
    """Intervals equal those of `compare_systems` for two evaluations with the same weights."""
    config = BenchmarkLcr(validation=0.5)
    library = make_library(60)
    task = open_lcr(build_lcr(library, config, runs=runs).path, config)
    mild, keen = (
        LcrEvaluationConfig(
            ("profiler", "fused"),
            "val",
            profiles=ProfileConfig(weights),
            query_weights=QueryWeights(weights),
            word_weight=word_weight,
        )
        for weights, word_weight in ((ProfileWeights(), 0.2), (ProfileWeights(1, 0, 0.5, 0.5), 0.5))
    )
    grid_run = try_weights(task, mild, GridConfig(0.5, queries=0), runs=runs)
    tried = {(row["system"], row["alpha"], row["delta"]): row for row in grid_run.grid.to_pylist()}
    found = {
        name: evaluate_lcr(task, query_weights, runs=runs).read_table(QUERIES).to_pylist()
        for name, query_weights in (("mild", mild), ("keen", keen))
    }
    mrr = {
        name: {row["query"]: row["value"] for row in rows if is_mrr(row)}
        for name, rows in found.items()
    }
    assert grid_run.counts["given"]["profiler"] == pytest.approx(np.mean([*mrr["mild"].values()]))
    queries = sorted(mrr["mild"])
    apart = np.array([mrr["keen"][query] - mrr["mild"][query] for query in queries])
    papers = [query.partition("_")[0] for query in queries]
    drawn = bootstrap_each(apart[None], clusters=np.unique(papers, return_inverse=True)[1])
    row, (lead,) = tried["profiler", 1.0, 0.5], drawn[WHOLE]
    assert (row["lead"], row["low"], row["high"]) == pytest.approx(astuple(lead))
    assert row["low"] < row["high"]


def test_few_papers_have_no_interval(task: LcrTask, runs: Path) -> None:
    grid_run = try_weights(task, config=GridConfig(step=1.0, queries=4), runs=runs)
    for row in grid_run.grid.to_pylist():
        assert row["lead"] == pytest.approx(row["mrr"] - grid_run.counts["given"][row["system"]])
        assert row["low"] is row["high"] is None


def is_mrr(row: dict[str, object]) -> bool:
    wanted = {"system": "profiler", "condition": "all", "metric": "mrr"}
    return wanted.items() <= row.items()


def test_other_given_weights_are_another_run(task: LcrTask, runs: Path) -> None:
    config = GridConfig(step=1.0, queries=4)
    usual = try_weights(task, config=config, runs=runs)
    other = try_weights(task, LcrEvaluationConfig(word_weight=0.7), config, runs=runs)
    assert usual.run != other.run
    mrr = [grid_run.grid["mrr"].to_pylist() for grid_run in (usual, other)]
    assert mrr[0] == mrr[1]
    assert usual.counts["given"]["profiler"] == other.counts["given"]["profiler"]


def test_seeds_sample_other_contexts(task: LcrTask, runs: Path) -> None:
    tried = [
        try_weights(task, config=GridConfig(step=1.0, queries=2, seed=seed), runs=runs).grid
        for seed in range(3)
    ]
    assert any(not grid.equals(tried[0]) for grid in tried[1:])
