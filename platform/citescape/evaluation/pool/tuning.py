"""BM25 tuned in a pool, by queries that are not those of the test (MDCR, section 3.1)."""

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
from citescape.evaluation.pool.pools import PoolTask, plan_validation
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
    """Tunes BM25 by mean average precision on a pool of the largest size, built like the test's.

    MAP is of all that queries cite: the one of what was found grows when less is found. Queries are
    of the same year, and none of them is a query of the test: nothing that those cite is read.

    Raises:
        ConfigError: all papers that can be queries are in the test.
    """
    validation = plan_validation(task, eligible, config)
    queries = PoolQueries(task.literature, validation.queries, task.candidates, config.depth)
    order = validation.order(0, seed=config.seed)
    size = max(config.sizes[-1], len(validation.cited)) if config.sizes else len(order)
    pool = np.sort(order[:size])

    def find_map(tried: Bm25) -> float:
        return float(queries.measure(tried, pool).values["map"].mean())

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

    Raises:
        ConfigError: no field has validation queries.
    """
    once = replace(config, samples=1)
    queries = FieldQueries.of(
        PoolRankers(literature, {ranker.name: ranker}), once, split=VALIDATION
    )
    if not queries.pools:
        raise ConfigError(
            "no field has queries to validate by beside those of the test; expected some: ask for "
            "fewer --queries"
        )

    def find_map(tried: Bm25) -> float:
        search = PoolRankers(literature, {ranker.name: tried})
        measured = replace(queries, search=search).measure(ranker.name, silent)
        return float(np.nanmean(measured.group_means("map")))

    return tune_bm25(ranker, find_map, grid, progress=progress)
