"""Inputs of rankers of pools."""

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
from citescape.evaluation.pool.pools import plan
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
    """Adds citations, the queries held out, and the tuning of BM25 to a basis.

    Citations are those of papers before the queries' year: later ones would leak what belongs to a
    query. For pools of fields the queries of both splits are held out.

    Raises:
        ConfigError: there are no queries.
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
        task = plan(literature, eligible, config)
        year, held_out = task.year, task.queries
        tune = partial(
            tune_in_pool, task=task, eligible=eligible, config=config, progress=basis.progress
        )
    asked = literature.ids.take(pa.array(held_out))
    return replace(
        basis,
        citations=lambda: find_earlier(literature, year),
        held_out=held_out.astype(np.int64),
        count_seen=partial(count_seen, runs=basis.runs, queries=asked),
        tune=tune,
    )


def find_earlier(literature: Literature, year: int) -> tuple[Codes, Codes]:
    """Citing and cited papers of citations that papers before a year give."""
    cites = literature.cites
    citing = np.repeat(np.arange(len(literature), dtype=np.int32), cites.counts)
    dated = (literature.years < year) & (literature.years != NO_YEAR)
    return citing[dated[citing]], cites.ends[dated[citing]]


def search_pools(
    named: Sequence[str],
    literature: Literature,
    config: PoolConfig | FieldPoolConfig,
    *,
    basis: Basis,
    asked: Mapping[str, object] | None = None,
) -> EvaluationRun:
    """Opens rankers and measures them in pools, of all papers or of fields, as the config says.

    Args:
        named: see `registry.open_ranker`; others are compared with the first.
        literature: papers, citations, fields.
        config: `PoolConfig` or `FieldPoolConfig`.
        basis: with the texts of the literature.
        asked: for the record of the run, see `runs.directory.RunRecord`.

    Raises:
        ConfigError: no such ranker, no queries, sizes that cannot be.
        SourceError: a ranker's file is not what it should be.
    """
    basis = prepare_basis(replace(basis, clock=Stopwatch()), literature, config)
    search = PoolRankers(literature, open_rankers(named, basis), asked or {})
    how, runs, progress, clock = Resampling(config.seed), basis.runs, basis.progress, basis.clock
    if isinstance(config, PoolConfig):
        return evaluate_pool(search, config, how, runs=runs, progress=progress, clock=clock)
    return evaluate_field_pools(search, config, how, runs=runs, progress=progress, clock=clock)
