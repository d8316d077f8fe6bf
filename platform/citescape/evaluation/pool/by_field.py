"""Pools of fields: queries of a field, and papers that papers of the field cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from citescape.core.progress import Progress, silent
from citescape.evaluation.literature import Literature
from citescape.evaluation.mdcr.assemble import find_pool
from citescape.evaluation.mdcr.config import MdcrConfig
from citescape.evaluation.mdcr.queries import TEST, QuerySplits, choose_queries
from citescape.evaluation.pool.config import FieldPoolConfig
from citescape.evaluation.pool.evaluate import PoolQueries, PoolRankers, average
from citescape.evaluation.prefilter import prefilter
from citescape.metrics.evaluation_run import (
    EvaluationRun,
    describe_rankers,
    find_evaluation,
    keep_evaluation,
)
from citescape.metrics.query_figures import QueryFigures, join
from citescape.metrics.summary import Resampling
from citescape.runs.directory import Stopwatch
from citescape.search.listed import Codes, Rows

FIELDS = "fields"
"""Condition of the figures."""
Pools = Mapping[str, Sequence[Codes]]
"""Field -> pools, one per sample."""


@dataclass(frozen=True)
class FieldQueries:
    """Queries of fields, and the pools that rankers search for them."""

    search: PoolRankers
    queries: QuerySplits
    pools: Pools
    depth: int
    split: str = TEST

    @classmethod
    def draw(
        cls, search: PoolRankers, config: FieldPoolConfig, *, split: str = TEST
    ) -> FieldQueries:
        """Draws queries and pools.

        Args:
            search: literature and rankers.
            config: settings of the pools.
            split: the evaluated split.

        Raises:
            ConfigError: no field has enough queries.
        """
        literature, drawing = search.literature, _to_mdcr_config(config)
        queries = choose_field_queries(literature, config)
        codes = {name: code for code, name in enumerate(literature.fields.names)}
        pools: dict[str, list[Codes]] = {}
        for field, own in queries.by_field[split].items():
            for sample in range(config.samples if len(own) else 0):
                pool = find_pool(literature, queries, codes[field], config=drawing, sample=sample)
                pools.setdefault(field, []).append(pool)
                # the pool has all papers: further samples would be equal
                if len(pool) != drawing.pool:
                    break
        return cls(search, queries, pools, config.depth, split)

    @property
    def papers(self) -> Rows:
        """Queries of the split and the papers of their pools, ascending."""
        own = [self.queries.by_field[self.split][field] for field in self.pools]
        drawn = [pool for pools in self.pools.values() for pool in pools]
        return np.unique(np.concatenate([*own, *drawn])).astype(np.int64)

    def measure(self, name: str, progress: Progress) -> QueryFigures:
        """Figures of one ranker in all fields."""
        figures, ranker, literature = [], self.search.rankers[name], self.search.literature
        for field, pools in self.pools.items():
            progress(f"searching {len(pools[0]):,} papers of {field} by {name}")
            own = self.queries.by_field[self.split][field]
            queries = PoolQueries(literature, own, self.queries.candidates, self.depth)
            samples = [queries.measure(ranker, pool.astype(np.int64)) for pool in pools]
            figures.append(replace(average(samples), groups=[field]))
        return join(figures)


def choose_field_queries(literature: Literature, config: FieldPoolConfig) -> QuerySplits:
    """Queries of both splits, as in a benchmark with the same settings.

    Raises:
        ConfigError: no field has enough queries.
    """
    eligible = prefilter(literature, config)
    return choose_queries(literature, eligible.papers, _to_mdcr_config(config))


def evaluate_field_pools(
    search: PoolRankers,
    config: FieldPoolConfig | None = None,
    resampling: Resampling | None = None,
    *,
    runs: Path,
    progress: Progress = silent,
    clock: Stopwatch | None = None,
) -> EvaluationRun:
    """Ranks papers of each field's pools for its queries by each ranker (MDCR, section 3.2).

    A pool holds the papers that the queries cite, and random papers that papers of the field cite.
    The figure of a query is the mean over samples; a field that cites fewer papers than the size
    of a pool has one sample. Groups of the figures are fields; the total is the mean over fields.
    Queries are those of the test split of a benchmark with the same settings, see `mdcr.build`.

    Args:
        search: literature and rankers.
        config: settings of the pools.
        resampling: settings of intervals and tests.
        runs: folder of run directories.
        progress: receives messages.
        clock: started before work such as the encoding of texts.

    Raises:
        ConfigError: no rankers, no field with enough queries, or `runs` is not writable.
    """
    config, resampling = config or FieldPoolConfig(), resampling or Resampling()
    clock = clock or Stopwatch()
    record = search.record("field pools", config, resampling)
    existing = find_evaluation(record, runs)
    if existing:
        return existing
    eligible = prefilter(search.literature, config)
    drawn = FieldQueries.draw(search, config)
    queries, pools = drawn.queries, drawn.pools
    with clock.timed("search"):
        systems = {name: {FIELDS: drawn.measure(name, progress)} for name in search.rankers}
    counts = {
        "papers": len(search.literature),
        "eligible": int(eligible.papers.sum()),
        "dropped": eligible.dropped,
        "year": queries.year,
        "queries": sum(map(len, queries.by_field[TEST].values())),
        "fields": list(pools),
        "fields_left_out": queries.left_out,
        "other_types": queries.other_types,
        "pools": {field: [len(pool) for pool in own] for field, own in pools.items()},
        "systems": list(systems),
        **describe_rankers(search.rankers, search.literature.corpus),
        "covered": search.measure_coverage(drawn.papers),
    }
    record = replace(record, counts=counts)
    return keep_evaluation(record, systems, runs=runs, resampling=resampling, clock=clock)


def _to_mdcr_config(config: FieldPoolConfig) -> MdcrConfig:
    """Settings with which a benchmark draws the same queries and pools."""
    return MdcrConfig(
        year=config.year,
        queries=config.queries,
        validation=config.queries,
        fewest=config.fewest,
        positives=config.positives,
        types=config.types,
        most_fields=config.most_fields,
        pool=config.size,
        min_abstract=config.min_abstract,
        min_citations=config.min_citations,
        seed=config.seed,
    )
