"""The weights of profiles and queries, chosen on validation contexts (Profiler, Fig. 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.metrics.display import format_interval
from citescape.metrics.intervals import WHOLE, bootstrap_each
from citescape.metrics.summary import Resampling
from citescape.recommend.encoding import ResolvedEncoder
from citescape.recommend.lcr.benchmark import LcrTask
from citescape.recommend.lcr.config import VALIDATION
from citescape.recommend.lcr.grid_picture import draw_grid
from citescape.recommend.lcr.measure import ALL, measure
from citescape.recommend.lcr.prepare import (
    LcrEvaluationConfig,
    PreparedEvaluation,
    find_split,
    prepare,
)
from citescape.recommend.lcr.shown import describe_benchmark, list_skipped, name_benchmark
from citescape.recommend.retriever import CandidateIndex
from citescape.runs.directory import RunDirectory, Stopwatch
from citescape.runs.kept import KeptRun, compute_run
from citescape.runs.result import Part, Summary, Table, plural
from citescape.search.listed import Codes, Floats

GRID, PICTURE = "grid.parquet", "grid.png"
METRICS = ("mrr", "recall@10", "ndcg@10")
LEAD = ("lead", "low", "high")
FUSED, PROFILER = "fused", "profiler"
_ROUNDING = 1e-6
"""Tolerance of a rounded step, such as 0.333."""


@dataclass(frozen=True)
class GridConfig:
    """Step and queries of a grid."""

    step: float = 0.1
    """Step of alpha, delta and words, from 0 to 1; beta is 1 - alpha, gamma 1 - delta, as
    published."""
    queries: int = 1000
    """Number of validation contexts, drawn at random; 0 for all."""
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.step <= 1 or abs(round(1 / self.step) * self.step - 1) > _ROUNDING:
            raise ConfigError(
                f"step is {self.step:g}; expected 1 / N, such as 0.5, 0.25, 0.2 or 0.1"
            )
        if self.queries < 0:
            raise ConfigError(f"queries is {self.queries}; expected 0 or more")

    @property
    def values(self) -> list[float]:
        """0 to 1, as fractions, so that no difference falls below 0."""
        parts = round(1 / self.step)
        return [part / parts for part in range(parts + 1)]


@dataclass(frozen=True)
class GridRun(KeptRun):
    """Metrics of all combinations of weights.

    grid.parquet: `system`, `alpha`, `delta`, `word_weight`, `mrr`, `recall@10`, `ndcg@10` (0 to 1);
    for `profiler` each alpha and delta, for `fused` each weight of words with the best of these.
    `lead`, `low`, `high`: its MRR minus that of the same system with the given weights, and
    the interval of the difference; null with too few query papers for an interval. grid.png, if
    matplotlib is installed.
    """

    command = "lcr-grid"
    noun = "grids of weights"
    required = ("config.query_weights",)

    benchmark: str = ""
    """Run directory or folder of the benchmark."""

    @property
    def grid(self) -> pa.Table:
        """A row for each combination of weights."""
        return self.read_table(GRID, "system", "alpha", "delta", "word_weight", *METRICS, *LEAD)

    def find_best(self, system: str = PROFILER, metric: str = METRICS[0]) -> dict[str, Any]:
        """The row with the highest figure; ties: the first."""
        rows = [row for row in self.grid.to_pylist() if row["system"] == system]
        best: dict[str, Any] = max(rows, key=lambda row: row[metric])
        return best

    @property
    def arrow(self) -> pa.Table:
        """A row for each combination of weights."""
        return self.grid

    def summarise(self) -> Summary:
        """MRR by alpha and delta, figures by the weight of words, and the best weights."""
        named = name_benchmark(self, self.benchmark, VALIDATION)
        grid = self.grid.to_pylist()
        rows = [row for row in grid if row["system"] == PROFILER]
        alphas, deltas = (sorted({row[name] for row in rows}) for name in ("alpha", "delta"))
        mrr = {(row["alpha"], row["delta"]): f"{100 * row['mrr']:.1f}" for row in rows}
        by_word_weight = [
            (f"{row['word_weight']:g}", *(f"{100 * row[metric]:.1f}" for metric in METRICS))
            for row in grid
            if row["system"] == FUSED
        ]
        parts: list[Part] = [
            f"benchmark: {describe_benchmark(named)}",
            *list_skipped(self.counts),
            f"{plural(self.counts['queries'], 'query sentence')}, MRR",
            "",
            Table(
                ("", *(f"alpha {alpha:g}" for alpha in alphas)),
                [(f"delta {d:g}", *(mrr[alpha, d] for alpha in alphas)) for d in deltas],
            ),
            "",
            "fused with the best alpha and delta, by the weight of words",
            Table(("word weight", "MRR", "R@10", "nDCG@10"), by_word_weight),
            *self._show_best(),
        ]
        if (self.path / PICTURE).exists():
            parts.append(f"picture: {self.path / PICTURE}")
        figures = {
            "run": self.run,
            "path": str(self.path),
            "unchanged": self.unchanged,
            **self.counts,
            **named,
            "grid": grid,
        }
        return Summary([*parts, "", self.describe()], figures)

    def _show_best(self) -> list[Part]:
        """The best weights, and their lead over the given weights."""
        best = {system: self.find_best(system) for system in (PROFILER, FUSED)}
        alpha, delta, word_weight = (
            best[FUSED][name] for name in ("alpha", "delta", "word_weight")
        )
        config = self.record.config
        given = {**config["query_weights"]["weights"]}
        given |= {name: config["weights"][name] for name in ("alpha", "beta")}
        chosen = {"alpha": alpha, "beta": 1 - alpha, "gamma": 1 - delta, "delta": delta}
        rows = []
        for system, row in best.items():
            remark = ""
            if row["low"] is None:
                remark = "too few papers for an interval"
            elif row["low"] <= 0 <= row["high"]:
                remark = "not significant"
            lead = f"{100 * row['lead']:+.1f}{format_interval(row, '+.1f')}"
            rows.append((system, lead, remark))
        return [
            "",
            f"best: {_name_weights(chosen, word_weight)}",
            f"difference in MRR from {_name_weights(given, config['word_weight'])}:",
            Table(("", "difference", ""), rows),
            "the best weights were chosen on these sentences: evaluate them on the test split",
        ]


def _name_weights(weights: Mapping[str, Any], word_weight: float) -> str:
    """Weights as options of a command."""
    names = ("alpha", "beta", "gamma", "delta")
    options = " ".join(f"--{name} {weights[name]:g}" for name in names)
    return f"{options} --word-weight {word_weight:g}"


def try_weights(
    task: LcrTask,
    evaluation: LcrEvaluationConfig | None = None,
    config: GridConfig | None = None,
    *,
    runs: Path,
    benchmark: str = "",
    progress: Progress = silent,
) -> GridRun:
    """Evaluates all weights of a grid on validation contexts, which are in no profile.

    Args:
        task: the benchmark.
        evaluation: settings; the grid is compared with their weights.
        config: step, queries and seed of the grid.
        runs: folder of run directories.
        benchmark: run directory or folder of the benchmark, for the summary.
        progress: called with each combination of weights.

    Raises:
        ConfigError: there is no validation split; `runs` is not writable.
    """
    config = config or GridConfig()
    evaluation = replace(
        evaluation or LcrEvaluationConfig(),
        split=VALIDATION,
        queries=config.queries,
        systems=(PROFILER,),
        rerankers=(),
        resampling=Resampling(config.seed),
    )

    def fill(directory: RunDirectory, clock: Stopwatch) -> dict[str, Any]:
        prepared = prepare(task, evaluation, runs=runs, clock=clock, progress=progress)
        with clock.timed("search"):
            given = {
                system: _measure(prepared, evaluation, system, progress=progress)
                for system in (PROFILER, FUSED)
            }
            trials = _evaluate_all(prepared, evaluation, config, progress=progress)
        with clock.timed("intervals"):
            leads = np.stack([trial.mrr - given[trial.row["system"]].mrr for trial in trials])
            clusters = trials[0].citing  # intervals resample papers
            intervals = bootstrap_each(leads, clusters=clusters, **asdict(evaluation.resampling))
            rows = []
            for trial, lead in zip(trials, intervals[WHOLE], strict=True):
                ends = zip(LEAD, (lead.mean, lead.low, lead.high), strict=True)
                rows.append(trial.row | {n: v if np.isfinite(v) else None for n, v in ends})
            table = pa.Table.from_pylist(rows)
        directory.write_parquet(GRID, [table])
        draw_grid(table, directory.path / PICTURE)
        return {
            "queries": len(prepared.queries),
            "combinations": len(trials),
            "profiles": prepared.run.run,
            **task.library.count_skipped(),
            "given": {system: trial.row[METRICS[0]] for system, trial in given.items()},
        }

    inputs = {
        "library": task.library.hash(),
        "split": task.library.with_contexts(find_split(task, VALIDATION)).hash(),
        "protocol": task.inductive.protocol,
        "candidates": len(task.inductive.corpus),
    }
    settings = {
        **asdict(config),
        **ResolvedEncoder.from_config(evaluation.profiles.encoder, runs).describe(),
        "k": evaluation.k,
        "weights": asdict(evaluation.profiles.weights),
        "query_weights": asdict(evaluation.query_weights),
        "word_weight": evaluation.word_weight,
    }
    run = compute_run(
        GridRun,
        runs,
        settings,
        inputs,
        fill=fill,
        seed=config.seed,
        libraries=("numpy", "scipy"),
    )
    return replace(run, benchmark=benchmark)


class _Trial(NamedTuple):
    """A combination of weights with its metrics."""

    row: dict[str, Any]
    """Row of the grid, without lead."""
    mrr: Floats
    """(q,) MRR of each context."""
    citing: Codes | None
    """(q,) citing paper of each context."""


def _evaluate_all(
    prepared: PreparedEvaluation,
    evaluation: LcrEvaluationConfig,
    config: GridConfig,
    *,
    progress: Progress,
) -> list[_Trial]:
    """All combinations of alpha and delta, and all weights of words with the best of these."""

    def weigh(alpha: float, delta: float) -> LcrEvaluationConfig:
        weights = replace(
            evaluation.profiles.weights, alpha=alpha, beta=1 - alpha, gamma=1 - delta, delta=delta
        )
        return replace(
            evaluation,
            profiles=replace(evaluation.profiles, weights=weights),
            query_weights=replace(evaluation.query_weights, weights=weights),
        )

    def reprofile(alpha: float) -> CandidateIndex:
        weights = weigh(alpha, 0.0).profiles.weights
        return prepared.profile_inputs.build_index_without(pa.array([], pa.string()), weights)

    trials = []
    for alpha in config.values:
        own = replace(prepared, index=reprofile(alpha))
        for delta in config.values:
            trials.append(_measure(own, weigh(alpha, delta), PROFILER, progress=progress))

    best = max((trial.row for trial in trials), key=itemgetter(METRICS[0]))
    index = reprofile(best["alpha"])
    for word_weight in config.values:
        weighed = replace(weigh(best["alpha"], best["delta"]), word_weight=word_weight)
        own = replace(prepared, index=index.weigh(word_weight))
        trials.append(_measure(own, weighed, FUSED, progress=progress))
    return trials


def _measure(
    prepared: PreparedEvaluation,
    evaluation: LcrEvaluationConfig,
    system: str,
    *,
    progress: Progress,
) -> _Trial:
    weights = evaluation.query_weights.weights
    progress(
        f"{system}: alpha {weights.alpha:g}, delta {weights.delta:g}, "
        f"word weight {evaluation.word_weight:g}"
    )
    retrieved = prepared.retrieve(system, evaluation, progress=silent)
    measured = measure(retrieved.papers, prepared.relevant)[ALL]
    row = {
        "system": system,
        "alpha": weights.alpha,
        "delta": weights.delta,
        "word_weight": evaluation.word_weight if system == FUSED else 0.0,
    }
    row |= {name: float(measured.values[name].mean()) for name in METRICS}
    return _Trial(row, measured.values[METRICS[0]], measured.clusters)
