"""How a benchmark is made from one's own graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from citescape.core.errors import ConfigError
from citescape.evaluation.config import FieldLimits, Prefilter
from citescape.runs.step import Count, Seed, Setting

MODELS = 3
"""Rankers whose lists candidates are taken from."""


@dataclass(frozen=True, kw_only=True)
class MdcrConfig(FieldLimits, Prefilter):
    """The paper's numbers, sections 3 and 4."""

    year: Annotated[int, Setting(default="the year with the most possible queries")] = 0
    """Publication year of the queries; 0 for the year with the most papers that can be queries, and
    the latest of equals."""
    queries: Count = 200
    """Maximum number of test queries of a field."""
    validation: Annotated[int | None, Setting(least=0, default="as many as --queries")] = None
    """Maximum number of validation queries of a field."""
    positives: Count = 5
    """Number of cited papers of a query."""
    negatives: Count = 10
    """Number of other papers of each kind."""
    depth: Annotated[Count, Setting(expert=True)] = 200
    """Papers of a ranker's list, and of the most cited, from which negatives are drawn."""
    pool: Annotated[Count, Setting(expert=True)] = 100_000
    """Maximum number of papers of a field that rankers search."""
    newer: bool = False
    """Let candidates be newer than the query, as in the published benchmark."""
    seed: Seed = 0
    """Random seed."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.depth < self.negatives:
            raise ConfigError(
                f"{self.negatives} of the first {self.depth} papers of a list; expected a depth of "
                "that many or more"
            )

    @property
    def validation_queries(self) -> int:
        """Maximum number of validation queries of a field."""
        return self.queries if self.validation is None else self.validation
