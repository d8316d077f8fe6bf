"""Pools of all papers that queries cite, and of others drawn at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.evaluation.choose import draw_papers, find_possible_queries, find_year
from citescape.evaluation.literature import Literature
from citescape.evaluation.pool.config import PoolConfig
from citescape.metrics.chance import draw_numbers
from citescape.search.listed import Bools, Codes, Rows

_STEPS = 4
VALIDATION = 500
"""Maximum number of validation queries: each setting that is tried searches for all of them."""


@dataclass(frozen=True)
class PoolTask:
    """Queries and their candidates."""

    literature: Literature
    year: int
    queries: Codes
    """(q,) ascending."""
    candidates: Bools
    """(papers,) that pass the filter and are not newer than the queries."""
    cited: Codes
    """Candidates that a query cites, ascending: they are in every pool."""

    def order(self, sample: int, *, seed: int) -> Rows:
        """(candidates,) cited papers, then all others in random order.

        The first `size` of them are a pool. So pools of one sample are nested: the smaller is part
        of the larger.
        """
        others = self.candidates.copy()
        others[self.cited] = False
        rows = np.flatnonzero(others)
        numbers = draw_numbers(
            self.literature.ids.take(pa.array(rows)), f"pool {sample}", seed=seed
        )
        return np.concatenate([self.cited, rows[np.argsort(numbers, kind="stable")]])


def plan(literature: Literature, eligible: Bools, config: PoolConfig) -> PoolTask:
    """Draws queries of one year among papers that cite enough candidates.

    Raises:
        ConfigError: no paper does.
    """
    year = config.year or find_year(literature, eligible, cited=config.positives)
    candidates = eligible & (literature.years <= year) & (literature.years != 0)
    possible = find_possible_queries(literature, eligible, candidates, cited=config.positives)
    possible &= literature.years == year
    if not possible.any():
        raise ConfigError(
            f"no paper of {year} cites {config.positives} papers that pass the filter; expected "
            "some: name another --year, or ask for less"
        )
    return _draw(literature, (year, candidates), possible, count=config.queries, seed=config.seed)


def plan_validation(task: PoolTask, eligible: Bools, config: PoolConfig) -> PoolTask:
    """Other queries of the same year, and the same candidates.

    Raises:
        ConfigError: every paper that can be a query is one of the task.
    """
    literature = task.literature
    possible = find_possible_queries(literature, eligible, task.candidates, cited=config.positives)
    possible &= literature.years == task.year
    possible[task.queries] = False
    if not possible.any():
        raise ConfigError(
            f"all {len(task.queries):,} papers of {task.year} that can be queries are in the test; "
            "expected some to validate by: ask for fewer --queries"
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
    """A task of some papers that are possible to be queries."""
    year, candidates = among
    queries = draw_papers(literature, possible, count, purpose=purpose, seed=seed)
    found = [literature.cites[query] for query in queries.tolist()]
    cited = np.unique(np.concatenate(found))
    return PoolTask(literature, year, queries, candidates, cited[candidates[cited]])


def choose_sizes(task: PoolTask, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The sizes asked for; else four at equal ratios, up to all candidates.

    They begin at an eighth of these, or at what is cited, if that is more.

    Raises:
        ConfigError: a size is less than what is cited, or more than there are.
    """
    most, least = int(task.candidates.sum()), len(task.cited)
    if not sizes:
        spread = np.geomspace(max(least, most >> (_STEPS - 1)), most, _STEPS)
        return tuple(int(size) for size in np.unique(np.rint(spread)))
    wrong = [size for size in sizes if not least <= size <= most]
    if wrong:
        raise ConfigError(
            f"a pool of {wrong[0]:,} papers; expected {least:,} (what the queries cite) to "
            f"{most:,} (what there is up to {task.year})"
        )
    return sizes
