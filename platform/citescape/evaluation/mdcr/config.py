"""Settings of a benchmark of the citations of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from citescape.core.errors import ConfigError
from citescape.evaluation.config import FieldLimits, Prefilter
from citescape.papers.types import QueryTypes
from citescape.runs.step import Count, Seed, Setting

MODELS = 3
"""Maximum number of rankers whose lists candidates are drawn from."""


@dataclass(frozen=True, kw_only=True)
class MdcrConfig(QueryTypes, FieldLimits, Prefilter):
    """Settings with the defaults of MDCR, sections 3 and 4."""

    year: Annotated[int, Setting(default="the year with the most possible queries")] = 0
    """Publication year of the queries; 0 for the year with the most papers that can be queries
    (ties: the latest)."""
    queries: Count = 200
    """Maximum number of test queries of a field."""
    validation: Annotated[int | None, Setting(least=0, default="as many as --queries")] = None
    """Maximum number of validation queries of a field."""
    positives: Count = 5
    """Number of cited papers of a query."""
    negatives: Count = 10
    """Number of negatives of each kind."""
    depth: Annotated[Count, Setting(expert=True)] = 200
    """Number of first papers of a ranked list, and of most cited papers, to draw negatives from."""
    pool: Annotated[Count, Setting(expert=True)] = 100_000
    """Maximum number of papers of a field that rankers search."""
    newer: bool = False
    """Allow candidates newer than the query, as in the published benchmark."""
    seed: Seed = 0
    """Random seed."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.depth < self.negatives:
            raise ConfigError(
                f"negatives is {self.negatives} and depth is {self.depth}; expected a depth of "
                f"{self.negatives} or more"
            )

    @property
    def validation_queries(self) -> int:
        """Maximum number of validation queries of a field."""
        return self.queries if self.validation is None else self.validation
