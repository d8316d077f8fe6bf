"""How a benchmark is made from one's own graph."""

from __future__ import annotations

from dataclasses import dataclass, field

from citescape.core.errors import ConfigError
from citescape.evaluation.prefilter import Prefilter

MODELS = 3
"""Of which candidates are taken."""


@dataclass(frozen=True)
class MdcrConfig:
    """The paper's numbers, sections 3 and 4."""

    year: int = 0
    """Of the queries; 0: the one with the most papers that can be queries, of equals the latest."""
    queries: int = 200
    """Of a field, at most, in the test split."""
    validation: int = 200
    """Of a field, at most, in the validation split."""
    fewest: int = 20
    """Test queries without which a field is left out."""
    positives: int = 5
    """Cited papers of a query."""
    negatives: int = 10
    """Papers of each kind."""
    depth: int = 200
    """Papers of a ranker's list, and of the most cited, that negatives are drawn from."""
    fields: int = 19
    """Those with the most papers that can be queries, at most."""
    pool: int = 100_000
    """Papers of a field that rankers search, at most."""
    newer: bool = False
    """Papers published after the query may be candidates, as in the published benchmark, whose
    graph candidates know no year."""
    prefilter: Prefilter = field(default_factory=Prefilter)
    seed: int = 0

    def __post_init__(self) -> None:
        counts = (self.queries, self.positives, self.negatives, self.depth, self.pool, self.fields)
        if min(counts) < 1 or min(self.validation, self.fewest) < 0:
            raise ConfigError(
                "expected at least one query, cited paper and candidate of each kind, a depth and "
                f"a pool; found {self}"
            )
        if self.depth < self.negatives:
            raise ConfigError(
                f"{self.negatives} of the first {self.depth} papers of a list; expected a depth of "
                "that many or more"
            )
