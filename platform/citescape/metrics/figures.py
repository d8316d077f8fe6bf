"""Figures of a benchmark by task and metric, with their values per query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError, list_some
from citescape.search.listed import Floats

DECIMALS = 2
"""Decimals of the published evaluators."""


@dataclass(frozen=True, eq=False)
class PerQuery:
    """Values per query of a mean, for `intervals.bootstrap` and `intervals.compare`."""

    queries: pa.StringArray
    """(q,) ascending."""
    values: Floats
    """(q,) 0 to 1."""
    weights: Floats | None = None
    """(q,) weights in the mean; None for a plain mean."""


@dataclass(frozen=True, eq=False)
class Figure:
    """One metric of one task."""

    task: str
    metric: str
    value: float
    """Percentage, 0 to 100; for a correlation -100 to 100."""
    used: int
    """Queries ranked, or papers predicted."""
    missing: int = 0
    """Queries that could not be ranked, or papers to be predicted that have no embedding."""
    missing_others: int = 0
    """Candidates of ranked queries, or papers to learn from, that have no embedding."""
    covered: float = 1.0
    """Share of all papers of the task that have an embedding."""
    per_query: PerQuery | None = None
    """Values per query; None for predictions."""

    @property
    def rounded(self) -> float:
        """The value with two decimals, as the published evaluators print it."""
        return float(np.round(self.value, DECIMALS))


@dataclass(frozen=True, eq=False)
class Figures:
    """Figures of several tasks, in the order of the benchmark."""

    items: tuple[Figure, ...]

    def __iter__(self) -> Iterator[Figure]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def find(self, task: str, metric: str) -> Figure | None:
        """The figure of a task and a metric; None if it is missing."""
        key = (task, metric)
        return next((figure for figure in self.items if (figure.task, figure.metric) == key), None)

    def __getitem__(self, key: tuple[str, str]) -> Figure:
        """The figure of a task and a metric.

        Raises:
            ConfigError: it is missing; the message lists the figures.
        """
        figure = self.find(*key)
        if figure is None:
            known = list_some([f"{item.task} {item.metric}" for item in self.items]) or "none"
            raise ConfigError(f"no figure {' '.join(key)}; expected one of: {known}")
        return figure

    @property
    def table(self) -> pa.Table:
        """task, metric, value, rounded, used, missing, missing_others: one row per figure."""
        types = (
            dict.fromkeys(("task", "metric"), pa.string())
            | dict.fromkeys(("value", "rounded"), pa.float64())
            | dict.fromkeys(("used", "missing", "missing_others"), pa.int64())
        )
        return pa.table(
            {
                name: pa.array([getattr(figure, name) for figure in self.items], kind)
                for name, kind in types.items()
            }
        )


def mean(values: Sequence[float]) -> float:
    """Plain mean; NaN without values."""
    return float(np.mean(values)) if len(values) else float("nan")
