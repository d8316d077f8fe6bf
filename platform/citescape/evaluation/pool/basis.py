"""Inputs of rankers for pools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa

from citescape.evaluation.leakage.seen import count_seen
from citescape.evaluation.literature import NO_YEAR, Literature
from citescape.evaluation.mdcr.assemble import join_splits
from citescape.evaluation.mdcr.queries import TEST
from citescape.evaluation.pool.by_field import choose_field_queries, evaluate_field_pools
from citescape.evaluation.pool.config import FieldPoolConfig, PoolConfig
from citescape.evaluation.pool.evaluate import PoolRankers, evaluate_pool
from citescape.evaluation.pool.pools import draw_task
from citescape.evaluation.pool.tuning import tune_in_field_pools, tune_in_pool
from citescape.evaluation.prefilter import prefilter
from citescape.metrics.evaluation_run import EvaluationRun
from citescape.metrics.summary import Resampling
from citescape.ranking.registry import Basis, open_rankers
from citescape.runs.directory import Stopwatch
from citescape.search.listed import Codes


def prepare_basis(
    basis: Basis, literature: Literature, config: PoolConfig | FieldPoolConfig
) -> Basis:
    """Adds citations, held-out queries and the tuning of BM25 to the inputs of rankers.

    Citations of papers in or after the year of the queries are excluded, since they would leak
    information. For pools of fields the queries of both splits are held out.

    Args:
        basis: inputs with the texts of the literature.
        literature: papers, citations, fields.
        config: settings of the pools.

    Raises:
        ConfigError: no queries.
    """
    if isinstance(config, FieldPoolConfig):
        queries = choose_field_queries(literature, config)
        both = [join_splits(queries, field) for field in queries.by_field[TEST]]
        year, held_out = queries.year, np.concatenate(both)
        tune = partial(
            tune_in_field_pools, literature=literature, config=config, progress=basis.progress
        )
    else:
        eligible = prefilter(literature, config).papers
        task = draw_task(literature, eligible, config)
        year, held_out = task.year, task.queries
        tune = partial(
            tune_in_pool, task=task, eligible=eligible, config=config, progress=basis.progress
        )
    queried = literature.ids.take(pa.array(held_out))
    return replace(
        basis,
        citations=lambda: find_earlier(literature, year),
        held_out=held_out.astype(np.int64),
        count_seen=partial(count_seen, runs=basis.runs, queries=queried),
        tune=tune,
    )


def find_earlier(literature: Literature, year: int) -> tuple[Codes, Codes]:
    """Citing and cited papers of the citations of papers before a year."""
    cites = literature.cites
    citing = np.repeat(np.arange(len(literature), dtype=np.int32), cites.counts)
    dated = (literature.years < year) & (literature.years != NO_YEAR)
    return citing[dated[citing]], cites.ends[dated[citing]]


def search_pools(
    names: Sequence[str],
    literature: Literature,
    config: PoolConfig | FieldPoolConfig,
    *,
    basis: Basis,
    request: Mapping[str, object] | None = None,
) -> EvaluationRun:
    """Opens rankers and evaluates them on pools of all papers or of fields.

    Args:
        names: names of rankers, see `registry.open_ranker`; others are compared with the first.
        literature: papers, citations, fields.
        config: settings, which select pools of all papers or of fields.
        basis: inputs of rankers, with the texts of the literature.
        request: request for the record of the run, see `RunRecord.request`.

    Raises:
        ConfigError: no such ranker, no queries, or impossible sizes.
        SourceError: the file of a ranker has another format.
    """
    basis = prepare_basis(replace(basis, clock=Stopwatch()), literature, config)
    search = PoolRankers(literature, open_rankers(names, basis), request or {})
    resampling, runs, progress, clock = (
        Resampling(config.seed),
        basis.runs,
        basis.progress,
        basis.clock,
    )
    if isinstance(config, PoolConfig):
        return evaluate_pool(search, config, resampling, runs=runs, progress=progress, clock=clock)
    return evaluate_field_pools(
        search, config, resampling, runs=runs, progress=progress, clock=clock
    )
