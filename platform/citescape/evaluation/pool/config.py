"""How pools are drawn and searched."""

from __future__ import annotations

from dataclasses import dataclass, field

from citescape.core.errors import ConfigError
from citescape.evaluation.prefilter import Prefilter

SHALLOWEST = 30
"""Papers of a ranking that `recall@30` is of."""


@dataclass(frozen=True, kw_only=True)
class _Searched:
    """What pools of all papers and of fields share."""

    year: int = 0
    """Of the queries; 0: the one with the most papers that can be queries."""
    positives: int = 1
    """Cited papers that a query has at least."""
    samples: int = 3
    """Pools of each size, or of each field, whose figures are averaged."""
    depth: int = 500
    """Papers of a ranking; metrics are of these."""
    prefilter: Prefilter = field(default_factory=Prefilter)
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.positives, self.samples) < 1:
            raise ConfigError(f"expected cited papers and samples of 1 or more; found {self}")
        if self.depth < SHALLOWEST:
            raise ConfigError(
                f"rankings of {self.depth} papers; expected {SHALLOWEST} or more, of which recall "
                "is counted"
            )


@dataclass(frozen=True)
class PoolConfig(_Searched):
    """The paper's numbers."""

    sizes: tuple[int, ...] = ()
    """Papers in a pool, ascending; empty for four sizes up to all there are."""
    queries: int = 3800
    """At most."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.queries, *self.sizes, 1) < 1:
            raise ConfigError(f"expected sizes and queries of 1 or more; found {self}")
        if list(self.sizes) != sorted(set(self.sizes)):
            raise ConfigError(f"sizes are {self.sizes}; expected ascending ones, each once")


@dataclass(frozen=True)
class FieldPoolConfig(_Searched):
    """The paper's numbers for pools of fields."""

    size: int = 100_000
    """Papers in a pool."""
    queries: int = 200
    """Of a field, at most; as many are set apart to tune by."""
    fewest: int = 20
    """Queries without which a field is left out."""
    fields: int = 19
    """Those with the most papers that can be queries, at most."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.size, self.queries, self.fewest, self.fields) < 1:
            raise ConfigError(
                f"expected a size, queries, fewest and fields of 1 or more; found {self}"
            )
