"""How pools are drawn and searched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from citescape.core.errors import ConfigError
from citescape.evaluation.config import FieldLimits, Prefilter
from citescape.runs.step import Count, Seed, Setting

SHALLOWEST = 30
"""Papers of a ranking that `recall@30` is of."""


@dataclass(frozen=True, kw_only=True)
class PoolSearch(Prefilter):
    """What pools of all papers and of fields share."""

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
    """The paper's numbers."""

    sizes: tuple[Count, ...] = ()
    """Papers in a pool, ascending; empty for four sizes up to all papers."""
    queries: Count = 3800
    """Maximum number of queries."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if list(self.sizes) != sorted(set(self.sizes)):
            raise ConfigError(f"sizes are {self.sizes}; expected ascending ones, each once")


@dataclass(frozen=True, kw_only=True)
class FieldPoolConfig(FieldLimits, PoolSearch):
    """The paper's numbers for pools of fields."""

    size: Count = 100_000
    """Papers in a pool."""
    queries: Count = 200
    """Maximum number of queries of a field; as many are set apart to tune by."""
