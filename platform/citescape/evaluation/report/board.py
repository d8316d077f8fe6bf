"""Figures and differences of an evaluation, for reports."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from citescape.core.errors import SourceError
from citescape.evaluation.report.words import name_kind
from citescape.metrics.coverage import MIN_COVERAGE, find_coverage
from citescape.metrics.summary import EACH
from citescape.metrics.task_summary import AVERAGE

if TYPE_CHECKING:
    from citescape.metrics.evaluation_run import EvaluationRun

_INVALID = re.compile("[\x00-\x20\x7f-\x9f\u2028\u2029\ufffe\uffff]+")
"""Characters that XML does not allow, and line ends."""
_SIZE = re.compile(r"\d{1,3}(,?\d{3})*")
ALL = "all"
"""Main condition of benchmarks with kinds of candidates; that of tasks is `AVERAGE`."""


@dataclass(frozen=True)
class Estimate:
    """A mean (0 to 1) or a difference of means (-1 to 1); missing values are NaN."""

    mean: float
    low: float
    high: float
    queries: int = 0
    covered: float = 1.0
    """Share of papers with a vector or score, see `coverage.find_coverage`."""

    @property
    def judged(self) -> bool:
        """Whether the coverage is high enough to judge the system."""
        return self.covered >= MIN_COVERAGE


@dataclass(frozen=True)
class SystemDifference:
    """Difference of a system from the baseline."""

    estimate: Estimate
    p: float
    adjusted: float


@dataclass(frozen=True)
class Board:
    """Figures and differences, with names in the order of the run."""

    means: Mapping[tuple[str, str, str, str], Estimate]
    """(system, condition, group, metric) -> mean; an empty group is the mean over groups."""
    differences: Mapping[tuple[str, str, str], SystemDifference]
    """(system, condition, metric) -> difference; missing if either system is not judged."""
    against: str
    """The baseline; empty without differences."""
    level: float
    """Level of intervals, 0 to 1."""

    def only(self, metrics: Sequence[str]) -> Board:
        """Figures of some metrics; all figures if `metrics` is empty."""
        if not metrics:
            return self
        means = {key: mean for key, mean in self.means.items() if key[3] in metrics}
        differences = {key: own for key, own in self.differences.items() if key[2] in metrics}
        return replace(self, means=means, differences=differences)

    @cached_property
    def systems(self) -> list[str]:
        """Names of the systems."""
        return list(dict.fromkeys(key[0] for key in self.means))

    def unjudged(self, conditions: Sequence[str]) -> dict[tuple[str, str], float]:
        """(system, condition) with a coverage that is too low -> coverage."""
        return {
            key[:2]: mean.covered
            for key, mean in self.means.items()
            if key[1] in conditions and not mean.judged
        }

    @cached_property
    def conditions(self) -> list[str]:
        """Conditions: kinds of candidates, sizes of pools, or tasks."""
        return list(dict.fromkeys(key[1] for key in self.means))

    @cached_property
    def groups(self) -> list[str]:
        """Groups of queries, such as fields; empty without groups."""
        return [name for name in dict.fromkeys(key[2] for key in self.means) if name != EACH]

    @cached_property
    def main(self) -> str:
        """The condition that represents the evaluation; empty for tasks without an average."""
        known = {key[1] for key, mean in self.means.items() if math.isfinite(mean.mean)}
        whole = [name for name in (ALL, AVERAGE) if name in known]
        if whole or self.sizes or len(self.conditions) == 1:
            return (whole or list(self.sizes) or self.conditions)[-1]
        return ""

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """Conditions as sizes of pools, ascending; empty if any is not a size."""
        if not all(map(_SIZE.fullmatch, self.conditions)):
            return {}
        sizes = {name: int(name.replace(",", "")) for name in self.conditions}
        return dict(sorted(sizes.items(), key=lambda pair: pair[1]))

    @property
    def parts(self) -> list[str]:
        """Conditions except the main one; all sizes of pools."""
        if self.sizes:
            return list(self.sizes)
        return [name for name in self.conditions if name != self.main]

    @property
    def kinds(self) -> bool:
        """Whether the parts are kinds of negatives, which share their metrics."""
        return self.main == ALL

    def label(self, condition: str) -> str:
        """The name of a condition in tables."""
        return name_kind(condition) if self.kinds and condition != self.main else condition

    @property
    def tasks(self) -> list[tuple[str, str]]:
        """(part, metric) with a figure of any system."""
        known = {key[1::2] for key, mean in self.means.items() if math.isfinite(mean.mean)}
        keys = [(name, metric) for name in self.parts for metric in self.metrics(name)]
        return [key for key in keys if key in known]

    def has_intervals(self, condition: str) -> bool:
        """Whether any figure of a condition has an interval."""
        return any(
            math.isfinite(mean.low) for key, mean in self.means.items() if key[1] == condition
        )

    @cached_property
    def intervals(self) -> str:
        """`with 95% intervals`, if any figure has an interval."""
        known = any(math.isfinite(mean.low) for mean in self.means.values())
        return f"with {self.level:.0%} intervals" if known else "without intervals"

    def is_compared(self, condition: str) -> bool:
        """Whether a condition has differences."""
        return any(key[1] == condition for key in self.differences)

    def metrics(self, condition: str = "") -> list[str]:
        """Metrics of a condition; of all conditions if it is empty."""
        return list(dict.fromkeys(key[3] for key in self.means if condition in ("", key[1])))

    def find(self, system: str, condition: str, metric: str, *, group: str = EACH) -> Estimate:
        """A figure; NaN if it is missing.

        Args:
            system: name of the system.
            condition: name of the condition.
            metric: name of the metric.
            group: name of the group; empty for the mean over groups.
        """
        return self.means.get((system, condition, group, metric), _MISSING)

    def queries(self, condition: str, group: str = EACH) -> int:
        """Number of queries of a figure."""
        figures = (mean for key, mean in self.means.items() if key[1:3] == (condition, group))
        return max((mean.queries for mean in figures), default=0)


_MISSING = Estimate(float("nan"), float("nan"), float("nan"))


def read_board(run: EvaluationRun) -> Board:
    """Reads figures and differences. Names become one line without control characters.

    Raises:
        SourceError: a file of the run is missing or damaged, or there are no figures.
    """
    figures = run.figures.to_pylist()
    if not figures:
        raise SourceError(
            str(run.path), "no-figures", "expected the figures of one system or more; found none"
        )
    means, covered = dict[tuple[str, str, str, str], Estimate](), {}
    for row in figures:
        system, condition = row["system"], row["condition"]
        share = find_coverage(run.record.counts, system, condition)
        covered[system, condition] = share
        name = (_clean(system), _clean(condition), _clean(row["group"]), _clean(row["metric"]))
        means[name] = replace(_estimate(row, "mean"), covered=share)

    table, differences = run.differences, {}
    rows = table.to_pylist() if table is not None else []
    for row in rows:
        shares = [covered.get((row[name], row["condition"]), 1) for name in ("system", "against")]
        if min(shares) >= MIN_COVERAGE:
            p, adjusted = _number(row["p"]), _number(row.get("p_adjusted"))
            key = (_clean(row["system"]), _clean(row["condition"]), _clean(row["metric"]))
            differences[key] = SystemDifference(_estimate(row, "difference"), p, adjusted)
    config = run.record.config
    level = config.get("resampling", config).get("level", 0.95)
    return Board(means, differences, _clean(rows[0]["against"]) if rows else "", level)


def _estimate(row: Mapping[str, Any], mean: str) -> Estimate:
    middle, low, high = (_number(row.get(name)) for name in (mean, "low", "high"))
    return Estimate(middle, low, high, int(row.get("queries") or 0))


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _clean(text: str | None) -> str:
    return _INVALID.sub(" ", text or "").strip()
