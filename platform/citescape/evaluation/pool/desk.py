"""What rankers of pools are made from."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from citescape.evaluation.literature import Literature
from citescape.evaluation.mdcr.assemble import join_splits
from citescape.evaluation.mdcr.queries import TEST
from citescape.evaluation.pool.by_field import choose_field_queries
from citescape.evaluation.pool.config import FieldPoolConfig, PoolConfig
from citescape.evaluation.pool.pools import plan
from citescape.evaluation.pool.tuning import tune_in_field_pools, tune_in_pool
from citescape.evaluation.prefilter import prefilter
from citescape.ranking.registry import Desk


def prepare_desk(desk: Desk, literature: Literature, config: PoolConfig | FieldPoolConfig) -> Desk:
    """The desk with what a search adds: citations, the queries held out, BM25's validation.

    Of pools of fields the queries of both splits are held out.

    Raises:
        ConfigError: there are no queries.
    """
    cites = literature.cites
    citing = np.repeat(np.arange(len(literature), dtype=np.int32), cites.counts)
    desk = replace(desk, citations=lambda: (citing, cites.ends))
    if isinstance(config, FieldPoolConfig):
        queries = choose_field_queries(literature, config)
        both = [join_splits(queries, field) for field in queries.by_field[TEST]]
        tune = partial(
            tune_in_field_pools, literature=literature, config=config, progress=desk.progress
        )
        return replace(desk, held_out=np.concatenate(both).astype(np.int64), tune=tune)
    eligible = prefilter(literature, config.prefilter).papers
    task = plan(literature, eligible, config)
    own = partial(tune_in_pool, task=task, eligible=eligible, config=config, progress=desk.progress)
    return replace(desk, held_out=task.queries.astype(np.int64), tune=own)
