"""Evaluations with random metrics, saved like those of commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.metrics.evaluation_run import EvaluationRun, keep_evaluation, keep_tasks
from citescape.metrics.figures import Figure, Figures, PerQuery
from citescape.metrics.query_figures import QueryFigures
from citescape.metrics.summary import Resampling
from citescape.metrics.task_summary import TaskFigures
from citescape.runs.directory import RunRecord, Stopwatch, run_id

RESAMPLING = Resampling(seed=1, draws=40)
METRICS = ("map", "ndcg", "recall@5")
HOSTILE = '<script>alert("x")</script> | & \'`*_x_[a](b)$y$\x07\n\\'


def make_run(
    folder: Path,
    *,
    systems: Sequence[str] = ("bm25", "minilm"),
    conditions: Sequence[str] = ("all", "graph"),
    groups: Sequence[str] = ("Art", "Law"),
    metrics: Sequence[str] = METRICS,
    config: dict[str, object] | None = None,
    counts: dict[str, object] | None = None,
    request: dict[str, object] | None = None,
) -> EvaluationRun:
    """A run with twelve queries per group; later systems are better."""
    record_config = {"benchmark": "mdcr", "seed": 1, "draws": 40, "level": 0.95, **(config or {})}
    inputs = {"systems": {name: {"ranker": name} for name in systems}}
    measured = {
        system: {
            condition: _measure(k, c, groups, metrics) for c, condition in enumerate(conditions)
        }
        for k, system in enumerate(systems)
    }
    record = RunRecord(
        run_id("evaluate", record_config, inputs),
        "evaluate",
        record_config,
        inputs,
        seed=1,
        versions={"citescape": "0.1.0"},
        counts={"queries": 12 * len(groups), "systems": list(systems), **(counts or {})},
        request=request or {},
    )
    return keep_evaluation(record, measured, runs=folder, resampling=RESAMPLING, clock=Stopwatch())


def _measure(
    system: int, condition: int, groups: Sequence[str], metrics: Sequence[str]
) -> QueryFigures:
    rng = np.random.default_rng([system, condition])
    size = 12 * len(groups)
    values = {name: 0.2 + 0.05 * system + 0.3 * rng.random(size) for name in metrics}
    queries = pa.array([f"q{k:03}" for k in range(size)])
    codes = np.repeat(np.arange(len(groups)), 12).astype(np.int32)
    return QueryFigures(groups, queries, codes, values)


def make_task_run(folder: Path, *, average: float) -> EvaluationRun:
    """Two systems on two tasks: F1, which is not a mean over queries, and MAP of 20 queries."""
    systems = {
        name: TaskFigures(_figures(number), {"average": average + number})
        for number, name in enumerate(("one", "other"))
    }
    record_config = {
        "benchmark": "scidocs",
        "split": "test",
        "ranker": "cosine",
        "average": str(average),
    }
    record = RunRecord(run_id("evaluate", record_config, {}), "evaluate", record_config, {}, seed=0)
    return keep_tasks(record, systems, runs=folder, resampling=RESAMPLING, clock=Stopwatch())


def _figures(system: int) -> Figures:
    values = np.random.default_rng(system).random(20)
    each = PerQuery(pa.array([f"q{k:02}" for k in range(20)]), values)
    mean = Figure("cite", "map", 100 * float(values.mean()), 20, per_query=each)
    return Figures((Figure("mag", "f1", 80.0 + system, 70), mean))
