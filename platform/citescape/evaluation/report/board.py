"""The figures of an evaluation, by what they are of."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from citescape.core.errors import SourceError
from citescape.evaluation.report.words import name_kind
from citescape.metrics.coverage import LEAST, find_coverage
from citescape.metrics.summary import EACH
from citescape.metrics.task_summary import AVERAGE

if TYPE_CHECKING:
    from citescape.metrics.evaluated import EvaluationRun

_NO_TEXT = re.compile("[\x00-\x20\x7f-\x9f\u2028\u2029\ufffe\uffff]+")
"""What XML cannot hold, and line ends."""
_SIZE = re.compile(r"\d{1,3}(,?\d{3})*")
ALL = "all"
"""The condition that stands for the whole of kinds of candidates; `AVERAGE` does of tasks."""


@dataclass(frozen=True)
class Estimate:
    """A mean, or a difference of two, between 0 and 1; what there is none of is NaN."""

    mean: float
    low: float
    high: float
    queries: int = 0
    covered: float = 1.0
    """Share of what it is measured on that the system knows, see `coverage.find_coverage`."""

    @property
    def judged(self) -> bool:
        """Whether enough is known for a verdict."""
        return self.covered >= LEAST


@dataclass(frozen=True)
class Lead:
    """How much a system is above the one that all are compared with."""

    of: Estimate
    p: float
    adjusted: float


@dataclass(frozen=True)
class Board:
    """Figures and differences; names in the order in which the run has them."""

    means: Mapping[tuple[str, str, str, str], Estimate]
    """Of system, condition, group (empty: the mean over groups) and metric."""
    leads: Mapping[tuple[str, str, str], Lead]
    """Of system, condition and metric; none where either system is not judged."""
    against: str
    """What systems are compared with; empty if there is nothing to compare."""
    level: float
    """Share of the means inside an interval."""

    def only(self, metrics: Sequence[str]) -> Board:
        """Of some metrics; of all if none is named."""
        if not metrics:
            return self
        means = {key: one for key, one in self.means.items() if key[3] in metrics}
        leads = {key: one for key, one in self.leads.items() if key[2] in metrics}
        return replace(self, means=means, leads=leads)

    @cached_property
    def systems(self) -> list[str]:
        """Who was measured."""
        return self._names(0)

    def unjudged(self, conditions: Sequence[str]) -> dict[tuple[str, str], float]:
        """Systems and conditions under which they know too little -> the share that they know."""
        return {
            key[:2]: one.covered
            for key, one in self.means.items()
            if key[1] in conditions and not one.judged
        }

    @cached_property
    def conditions(self) -> list[str]:
        """Under what: kinds of candidates, sizes of pools, tasks."""
        return self._names(1)

    @cached_property
    def groups(self) -> list[str]:
        """Such as fields; none if there are none."""
        return [name for name in self._names(2) if name != EACH]

    @cached_property
    def main(self) -> str:
        """The condition that stands for the whole; empty if none does, as of different tasks."""
        known = {key[1] for key, one in self.means.items() if math.isfinite(one.mean)}
        whole = [name for name in (ALL, AVERAGE) if name in known]
        if whole or self.sizes or len(self.conditions) == 1:
            return (whole or list(self.sizes) or self.conditions)[-1]
        return ""

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """Conditions that are sizes, ascending; none if any is not."""
        if not all(map(_SIZE.fullmatch, self.conditions)):
            return {}
        found = {name: int(name.replace(",", "")) for name in self.conditions}
        return dict(sorted(found.items(), key=lambda pair: pair[1]))

    @property
    def parts(self) -> list[str]:
        """Conditions beside the main one; of sizes all."""
        if self.sizes:
            return list(self.sizes)
        return [name for name in self.conditions if name != self.main]

    @property
    def kinds(self) -> bool:
        """Whether the parts are kinds of negatives, which share their metrics."""
        return self.main == ALL

    def label(self, condition: str) -> str:
        """What a reader calls a condition."""
        return name_kind(condition) if self.kinds and condition != self.main else condition

    @property
    def tasks(self) -> list[tuple[str, str]]:
        """Parts and metrics of which any system has a figure."""
        known = {key[1::2] for key, one in self.means.items() if math.isfinite(one.mean)}
        keys = [(name, metric) for name in self.parts for metric in self.metrics(name)]
        return [key for key in keys if key in known]

    def has_intervals(self, condition: str) -> bool:
        """Whether any figure under it has one."""
        return any(math.isfinite(one.low) for key, one in self.means.items() if key[1] == condition)

    @cached_property
    def intervals(self) -> str:
        """`with 95% intervals`, where any figure has one."""
        sure = any(math.isfinite(one.low) for one in self.means.values())
        return f"with {self.level:.0%} intervals" if sure else "without intervals"

    def is_compared(self, condition: str) -> bool:
        """Whether there are differences under it."""
        return any(key[1] == condition for key in self.leads)

    def metrics(self, condition: str = "") -> list[str]:
        """What was measured under a condition, or under any."""
        names = (key[3] for key in self.means if condition in ("", key[1]))
        return list(dict.fromkeys(names))

    def find(self, system: str, condition: str, metric: str, *, group: str = EACH) -> Estimate:
        """A figure; NaN if there is none."""
        return self.means.get((system, condition, group, metric), _NOTHING)

    def queries(self, condition: str, group: str = EACH) -> int:
        """Queries that a figure is of."""
        return max(
            (one.queries for key, one in self.means.items() if key[1:3] == (condition, group)),
            default=0,
        )

    def _names(self, place: int) -> list[str]:
        return list(dict.fromkeys(key[place] for key in self.means))


_NOTHING = Estimate(float("nan"), float("nan"), float("nan"))


def read_board(made: EvaluationRun) -> Board:
    """Reads figures and differences; names are put on one line, without control characters.

    Raises:
        SourceError: a file of the run is missing or damaged, or there are no figures.
    """
    figures = made.figures.to_pylist()
    if not figures:
        raise SourceError(
            str(made.path), "no-figures", "expected the figures of one system or more; found none"
        )
    covered = {
        (row["system"], row["condition"]): find_coverage(
            made.record.counts, row["system"], row["condition"]
        )
        for row in figures
    }
    means = {
        (
            _line(row["system"]),
            _line(row["condition"]),
            _line(row["group"]),
            _line(row["metric"]),
        ): replace(_estimate(row, "mean"), covered=covered[row["system"], row["condition"]])
        for row in figures
    }
    table = made.differences
    rows = table.to_pylist() if table is not None else []
    config = made.record.config
    return Board(
        means,
        {
            (_line(row["system"]), _line(row["condition"]), _line(row["metric"])): Lead(
                _estimate(row, "difference"), _number(row["p"]), _number(row.get("p_adjusted"))
            )
            for row in rows
            if all(
                covered.get((row[system], row["condition"]), 1) >= LEAST
                for system in ("system", "against")
            )
        },
        _line(rows[0]["against"]) if rows else "",
        config.get("resampling", config).get("level", 0.95),
    )


def _estimate(row: Mapping[str, Any], mean: str) -> Estimate:
    middle, low, high = (_number(row.get(name)) for name in (mean, "low", "high"))
    return Estimate(middle, low, high, int(row.get("queries") or 0))


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _line(text: str | None) -> str:
    return _NO_TEXT.sub(" ", text or "").strip()
