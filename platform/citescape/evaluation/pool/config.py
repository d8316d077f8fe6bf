"""Settings of pools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from citescape.core.errors import ConfigError
from citescape.evaluation.config import FieldLimits, Prefilter
from citescape.papers.types import QueryTypes
from citescape.runs.step import Count, Seed, Setting

SHALLOWEST = 30
"""Minimum number of papers of a ranking, for `recall@30`."""


@dataclass(frozen=True, kw_only=True)
class PoolSearch(QueryTypes, Prefilter):
    """Shared settings of pools of all papers and of pools of fields."""

    year: Annotated[int, Setting(default="the year with the most possible queries")] = 0
    """Publication year of the queries; 0 for the year with the most papers that can be queries."""
    positives: Count = 1
    """Minimum number of cited papers of a query."""
    samples: Count = 3
    """Number of pools of each size, or of each field, over which figures are averaged."""
    depth: Annotated[int, Setting(least=SHALLOWEST)] = 500
    """Number of papers of a ranking from which metrics are computed."""
    seed: Seed = 0
    """Random seed."""


@dataclass(frozen=True, kw_only=True)
class PoolConfig(PoolSearch):
    """Settings with the defaults of MDCR, section 3.1."""

    sizes: tuple[Count, ...] = ()
    """Papers in a pool, ascending; empty for four sizes up to all papers."""
    queries: Count = 3800
    """Maximum number of queries."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if list(self.sizes) != sorted(set(self.sizes)):
            raise ConfigError(f"sizes are {self.sizes}; expected unique sizes in ascending order")


@dataclass(frozen=True, kw_only=True)
class FieldPoolConfig(FieldLimits, PoolSearch):
    """Settings of pools of fields, with the defaults of MDCR, section 3.2."""

    size: Count = 100_000
    """Papers in a pool."""
    queries: Count = 200
    """Maximum number of queries of a field; as many others are used for tuning."""
