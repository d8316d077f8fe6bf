"""How pools are drawn and searched."""

from __future__ import annotations

from dataclasses import dataclass, field

from citescape.errors import ConfigError
from citescape.evaluation.prefilter import Prefilter

SHALLOWEST = 30
"""Papers of a ranking that `recall@30` is of."""


@dataclass(frozen=True)
class PoolConfig:
    """The paper's numbers."""

    sizes: tuple[int, ...] = ()
    """Papers in a pool, ascending; empty for four sizes up to all there are."""
    year: int = 0
    """Of the queries; 0: the one with the most papers that can be queries."""
    queries: int = 3800
    """At most."""
    positives: int = 1
    """Cited papers that a query has at least."""
    samples: int = 3
    """Pools of each size, whose figures are averaged."""
    depth: int = 500
    """Papers of a ranking; metrics are of these."""
    prefilter: Prefilter = field(default_factory=Prefilter)
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.queries, self.positives, self.samples, *self.sizes, 1) < 1:
            raise ConfigError(
                f"expected sizes, queries, samples and cited papers of 1 or more; found {self}"
            )
        if list(self.sizes) != sorted(set(self.sizes)):
            raise ConfigError(f"sizes are {self.sizes}; expected ascending ones, each once")
        _check_depth(self.depth)


@dataclass(frozen=True)
class FieldPoolConfig:
    """The paper's numbers for pools of fields."""

    size: int = 100_000
    """Papers in a pool."""
    year: int = 0
    """Of the queries; 0: the one with the most papers that can be queries."""
    queries: int = 200
    """Of a field, at most; as many are set apart to tune by."""
    fewest: int = 20
    """Queries without which a field is left out."""
    positives: int = 1
    """Cited papers that a query has at least."""
    fields: int = 19
    """Those with the most papers that can be queries, at most."""
    samples: int = 3
    """Pools of a field, whose figures are averaged."""
    depth: int = 500
    """Papers of a ranking; metrics are of these."""
    prefilter: Prefilter = field(default_factory=Prefilter)
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.size, self.samples) < 1:
            raise ConfigError(f"expected a size and samples of 1 or more; found {self}")
        _check_depth(self.depth)


def _check_depth(depth: int) -> None:
    if depth < SHALLOWEST:
        raise ConfigError(
            f"rankings of {depth} papers; expected {SHALLOWEST} or more, of which recall is counted"
        )
