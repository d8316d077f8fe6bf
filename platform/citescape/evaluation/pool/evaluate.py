"""Evaluation on pools: ranks of cited papers among all papers, by the size of the pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.evaluation.literature import Literature
from citescape.evaluation.pool.config import SHALLOWEST, FieldPoolConfig, PoolConfig
from citescape.evaluation.pool.pools import PoolTask, choose_sizes, draw_task
from citescape.evaluation.prefilter import prefilter
from citescape.metrics.evaluation_run import (
    LIBRARIES,
    EvaluationRun,
    describe_rankers,
    find_evaluation,
    keep_evaluation,
)
from citescape.metrics.query_figures import QueryFigures, measure_ranked
from citescape.metrics.ranked import Qrels, rank
from citescape.metrics.summary import Resampling
from citescape.runs.directory import RunRecord, Stopwatch
from citescape.search.listed import Bools, Codes, Rows
from citescape.search.ranker import Ranker

METRICS = ("map", "map_ret", "ndcg", "ndcg_ret", f"recall@{SHALLOWEST}")
_GROUP = "all"


@dataclass(frozen=True)
class PoolRankers:
    """Rankers, and the papers that they search."""

    literature: Literature
    rankers: Mapping[str, Ranker]
    request: Mapping[str, Any] = field(default_factory=dict)
    """Request for the record of the run, see `RunRecord.request`."""

    def __post_init__(self) -> None:
        if not self.rankers:
            raise ConfigError("expected at least one ranker")

    def measure_coverage(self, papers: Rows) -> dict[str, float]:
        """Ranker -> share of the papers that have a vector or score."""
        return {
            name: round(1 - float(ranker.lacks(papers).mean()), 4)
            for name, ranker in self.rankers.items()
        }

    def record(
        self, benchmark: str, config: PoolConfig | FieldPoolConfig, resampling: Resampling
    ) -> RunRecord:
        """The record of a new run.

        Args:
            benchmark: `pool` or `field pools`.
            config: settings of the pools.
            resampling: settings of intervals and tests.
        """
        systems = {name: ranker.describe() for name, ranker in self.rankers.items()}
        return RunRecord.create(
            EvaluationRun.command,
            {"benchmark": benchmark, **asdict(config), "resampling": asdict(resampling)},
            {
                "literature": self.literature.fingerprint(),
                "systems": systems,
                "order": list(systems),  # others are compared with the first
            },
            seed=config.seed,
            libraries=LIBRARIES,
            request=self.request,
        )


@dataclass(frozen=True)
class PoolQueries:
    """Queries and candidates of pools."""

    literature: Literature
    queries: Codes
    """(q,) rows of the queries, ascending."""
    candidates: Bools
    """(papers,) true for candidates."""
    depth: int
    """Number of papers of a ranking."""

    @cached_property
    def qrels(self) -> Qrels:
        """Judgements: candidates that a query cites are relevant."""
        cited = [self.literature.cites[query] for query in self.queries.tolist()]
        cited = [papers[self.candidates[papers]] for papers in cited]
        citing = np.repeat(self.queries, [len(papers) for papers in cited])
        columns = {
            "query": self.literature.ids.take(pa.array(citing)),
            "document": self.literature.ids.take(pa.array(np.concatenate(cited))),
        }
        return Qrels.from_rows(pa.table({**columns, "relevance": np.ones(len(citing))}))

    def measure(self, ranker: Ranker, pool: Rows) -> QueryFigures:
        """Figures of one ranker on a pool of rows, ascending; queries that it lacks have 0."""
        depth = min(self.depth, len(pool))
        result = ranker.among(pool).search(self.queries.astype(np.int64), depth)
        ranked = rank(result.to_rankings(self.literature.ids), self.qrels)
        return measure_ranked(ranked, METRICS, groups=[_GROUP], query_groups=[_GROUP] * len(ranked))


def evaluate_pool(
    search: PoolRankers,
    config: PoolConfig | None = None,
    resampling: Resampling | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
    clock: Stopwatch | None = None,
) -> EvaluationRun:
    """Ranks the papers of pools for each query by each ranker (MDCR, section 3.1).

    Conditions are the sizes; the figure of a query is the mean over the samples of a size.

    Args:
        search: literature and rankers.
        config: settings of the pools.
        resampling: settings of intervals and tests.
        runs: folder of run directories.
        progress: receives messages.
        clock: started before work such as the encoding of texts.

    Raises:
        ConfigError: no rankers, no queries, impossible sizes, or `runs` is not writable.
    """
    config, resampling = config or PoolConfig(), resampling or Resampling()
    clock = clock or Stopwatch()
    record = search.record("pool", config, resampling)
    existing = find_evaluation(record, runs)
    if existing:
        return existing
    eligible = prefilter(search.literature, config)
    task = draw_task(search.literature, eligible.papers, config)
    sizes = choose_sizes(task, config.sizes)
    queries = PoolQueries(search.literature, task.queries, task.candidates, config.depth)
    with clock.timed("search"):
        systems = _search(search.rankers, (task, queries), sizes, config=config, progress=progress)
    counts = {
        "papers": len(search.literature),
        "eligible": int(eligible.papers.sum()),
        "dropped": eligible.dropped,
        "year": task.year,
        "queries": len(task.queries),
        "other_types": task.other_types,
        "cited": len(task.cited),
        "positives": round(float(np.diff(queries.qrels.indptr).mean()), 2),
        "sizes": list(sizes),
        "systems": list(systems),
        **describe_rankers(search.rankers, search.literature.corpus),
        "covered": search.measure_coverage(
            np.union1d(np.flatnonzero(task.candidates), task.queries)
        ),
    }
    record = replace(record, counts=counts)
    return keep_evaluation(record, systems, runs=runs, resampling=resampling, clock=clock)


def _search(
    rankers: Mapping[str, Ranker],
    drawn: tuple[PoolTask, PoolQueries],
    sizes: Sequence[int],
    *,
    config: PoolConfig,
    progress: Progress,
) -> dict[str, dict[str, QueryFigures]]:
    """System -> size -> figures. The pool of all candidates has one sample only."""
    (task, queries), figures = drawn, dict[tuple[str, int], list[QueryFigures]]()
    for sample in range(config.samples):
        order = task.order_candidates(sample, seed=config.seed)
        for size in sizes:
            if size == len(order) and sample:
                continue
            pool = np.sort(order[:size])
            for name, ranker in rankers.items():
                progress(f"searching {size:,} papers by {name}, sample {sample + 1}")
                figures.setdefault((name, size), []).append(queries.measure(ranker, pool))
    return {name: {f"{size:,}": average(figures[name, size]) for size in sizes} for name in rankers}


def average(samples: list[QueryFigures]) -> QueryFigures:
    """Figures per query, averaged over samples."""
    values = {
        name: np.mean([sample.values[name] for sample in samples], axis=0)
        for name in samples[0].values
    }
    return replace(samples[0], values=values)
