"""Tuning of BM25 on validation queries of pools (MDCR, section 3.1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.evaluation.literature import Literature
from citescape.evaluation.mdcr.queries import VALIDATION
from citescape.evaluation.pool.by_field import FieldQueries
from citescape.evaluation.pool.config import FieldPoolConfig, PoolConfig
from citescape.evaluation.pool.evaluate import PoolQueries, PoolRankers
from citescape.evaluation.pool.pools import PoolTask, draw_validation_task
from citescape.evaluation.tuning import Grid, tune_bm25
from citescape.search.bm25 import Bm25
from citescape.search.listed import Bools


def tune_in_pool(
    ranker: Bm25,
    *,
    task: PoolTask,
    eligible: Bools,
    config: PoolConfig,
    grid: Grid | None = None,
    progress: Progress = silent,
) -> Bm25:
    """Tunes BM25 by MAP on a pool of the largest size, drawn like the test pool.

    MAP is over all cited papers: MAP over retrieved papers may grow when fewer are retrieved.
    Validation queries are of the same year and are not test queries, whose references are not read.

    Args:
        ranker: BM25 over the texts of the literature.
        task: test queries and candidates.
        eligible: (papers,) papers that pass the filter.
        config: settings of the pools.
        grid: values of k1 and b.
        progress: receives the current values.

    Raises:
        ConfigError: all papers that can be queries are test queries.
    """
    validation = draw_validation_task(task, eligible, config)
    queries = PoolQueries(task.literature, validation.queries, task.candidates, config.depth)
    order = validation.order_candidates(0, seed=config.seed)
    size = max(config.sizes[-1], len(validation.cited)) if config.sizes else len(order)
    pool = np.sort(order[:size])

    def find_map(candidate: Bm25) -> float:
        return float(queries.measure(candidate, pool).values["map"].mean())

    return tune_bm25(ranker, find_map, grid, progress=progress)


def tune_in_field_pools(
    ranker: Bm25,
    *,
    literature: Literature,
    config: FieldPoolConfig,
    grid: Grid | None = None,
    progress: Progress = silent,
) -> Bm25:
    """Tunes BM25 by MAP, the mean over fields, on the validation split of pools of fields.

    Args:
        ranker: BM25 over the texts of the literature.
        literature: papers, citations, fields.
        config: settings of the pools.
        grid: values of k1 and b.
        progress: receives the current values.

    Raises:
        ConfigError: no field has validation queries.
    """
    one_sample = replace(config, samples=1)
    queries = FieldQueries.draw(
        PoolRankers(literature, {ranker.name: ranker}), one_sample, split=VALIDATION
    )
    if not queries.pools:
        raise ConfigError(
            "no field has validation queries beside the test queries; expected some: lower "
            "--queries"
        )

    def find_map(candidate: Bm25) -> float:
        search = PoolRankers(literature, {ranker.name: candidate})
        measured = replace(queries, search=search).measure(ranker.name, silent)
        return float(np.nanmean(measured.group_means("map")))

    return tune_bm25(ranker, find_map, grid, progress=progress)
