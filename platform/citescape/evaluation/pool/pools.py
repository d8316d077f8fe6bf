"""Pools: all papers that queries cite, and other random papers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.evaluation.choose import (
    MORE_PAPERS,
    draw_papers,
    find_possible_queries,
    find_year,
    keep_types,
)
from citescape.evaluation.literature import Literature
from citescape.evaluation.pool.config import PoolConfig
from citescape.metrics.chance import draw_numbers
from citescape.search.listed import Bools, Codes, Rows

_STEPS = 4
"""Number of default sizes of pools."""
VALIDATION = 500
"""Maximum number of validation queries. Each setting of a grid searches for all of them."""


@dataclass(frozen=True)
class PoolTask:
    """Queries and candidates of pools."""

    literature: Literature
    year: int
    queries: Codes
    """(q,) rows of the queries, ascending."""
    candidates: Bools
    """(papers,) papers that pass the filter and are not newer than the queries."""
    cited: Codes
    """Candidates that a query cites, ascending; each pool contains them."""
    other_types: int = 0
    """Papers of the year that are no queries because of their type."""

    def order_candidates(self, sample: int, *, seed: int) -> Rows:
        """(candidates,) cited papers, then all others in random order.

        A pool is the first `size` papers, so that the pools of one sample are nested.
        """
        others = self.candidates.copy()
        others[self.cited] = False
        rows = np.flatnonzero(others)
        numbers = draw_numbers(
            self.literature.ids.take(pa.array(rows)), f"pool {sample}", seed=seed
        )
        return np.concatenate([self.cited, rows[np.argsort(numbers, kind="stable")]])


def draw_task(literature: Literature, eligible: Bools, config: PoolConfig) -> PoolTask:
    """Draws queries of one year from papers that cite enough candidates.

    Args:
        literature: papers, citations and years.
        eligible: (papers,) papers that pass the filter.
        config: year, number of queries and seed.

    Raises:
        ConfigError: no paper can be a query.
    """
    year = config.year or find_year(
        literature, eligible, cited=config.positives, types=config.types
    )
    candidates = eligible & (literature.years <= year) & (literature.years != 0)
    possible = find_possible_queries(literature, eligible, candidates, cited=config.positives)
    of_year = possible & (literature.years == year)
    possible = keep_types(literature, of_year, config.types)
    if not possible.any():
        raise ConfigError(
            f"no paper of {year} cites {config.positives} papers that pass the filter; expected "
            f"some: set another --year, or {MORE_PAPERS}"
        )
    task = _draw(literature, (year, candidates), possible, count=config.queries, seed=config.seed)
    return replace(task, other_types=int((of_year & ~possible).sum()))


def draw_validation_task(task: PoolTask, eligible: Bools, config: PoolConfig) -> PoolTask:
    """Draws validation queries: other papers of the same year, with the same candidates.

    Args:
        task: test queries and candidates.
        eligible: (papers,) papers that pass the filter.
        config: positives and seed.

    Raises:
        ConfigError: all papers that can be queries are test queries.
    """
    literature = task.literature
    possible = find_possible_queries(literature, eligible, task.candidates, cited=config.positives)
    possible &= literature.years == task.year
    possible = keep_types(literature, possible, config.types)
    possible[task.queries] = False
    if not possible.any():
        raise ConfigError(
            f"all {len(task.queries):,} papers of {task.year} that can be queries are test "
            "queries, expected some for validation: lower --queries"
        )
    return _draw(
        literature,
        (task.year, task.candidates),
        possible,
        count=VALIDATION,
        seed=config.seed,
        purpose="pool validation query",
    )


def _draw(
    literature: Literature,
    among: tuple[int, Bools],
    possible: Bools,
    *,
    count: int,
    seed: int,
    purpose: str = "pool query",
) -> PoolTask:
    """A task with a sample of the papers that can be queries; `among`: year and candidates."""
    year, candidates = among
    queries = draw_papers(literature, possible, count, purpose=purpose, seed=seed)
    lists = [literature.cites[query] for query in queries.tolist()]
    cited = np.unique(np.concatenate(lists))
    return PoolTask(literature, year, queries, candidates, cited[candidates[cited]])


def choose_sizes(task: PoolTask, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The given sizes; or four sizes at equal ratios, up to all candidates.

    The smallest default is an eighth of the candidates, or all cited papers, if they are more.

    Raises:
        ConfigError: a size is below the number of cited papers, or above that of candidates.
    """
    most, least = int(task.candidates.sum()), len(task.cited)
    if not sizes:
        spread = np.geomspace(max(least, most >> (_STEPS - 1)), most, _STEPS)
        return tuple(int(size) for size in np.unique(np.rint(spread)))
    wrong = [size for size in sizes if not least <= size <= most]
    if wrong:
        raise ConfigError(
            f"a pool of {wrong[0]:,} papers; expected {least:,} (cited papers) to {most:,} (papers "
            f"up to {task.year})"
        )
    return sizes
