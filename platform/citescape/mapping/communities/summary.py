"""Summary of curves over seeds: relative accuracy, its deviation, and the compared ranges."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from citescape.mapping.communities.relative import (
    AccuracyCurve,
    Range,
    RelativeAccuracy,
    build_curve,
    compare_curves,
    find_overlap,
)
from citescape.networks.network import Floats, Mask

POINTS = 100
"""Number of granularities at which networks are compared, equally spaced in the logarithm."""
RANDOM = "random"
"""Name of the lower bound; the name of the upper bound is that of the criterion."""
_SCHEMA = pa.schema(
    {
        "line": pa.string(),
        "seed": pa.int64(),
        "granularity": pa.float64(),
        "accuracy": pa.float64(),
        "relative": pa.float64(),
    }
)


@dataclass(frozen=True)
class SeedCurve:
    """The curve of a network or a bound at one seed."""

    line: str
    bound: bool
    """Whether it is the upper or lower bound, not a compared network."""
    edges: int
    seed: int
    points: Sequence[Mapping[str, float]]
    """Rows of `curves.trace_curve`."""

    @property
    def curve(self) -> AccuracyCurve:
        """Accuracy by granularity."""
        return build_curve(
            [point["granularity"] for point in self.points],
            [point["accuracy"] for point in self.points],
        )


@dataclass(frozen=True)
class Line:
    """Figures of a network or a bound."""

    name: str
    bound: bool
    edges: int
    reach: Range
    """Granularities reached with every seed."""
    accuracy: tuple[float | None, ...]
    """Accuracy at `AccuracySummary.marks`, mean over seeds; None if not reached."""
    relative: float | None
    """Relative accuracy, mean over seeds; None for bounds and excluded networks."""
    spread: float | None
    """Standard deviation of `relative` over seeds: the effect of random numbers, not of sampling
    papers."""
    gap: Range | None
    """The widest gap in granularity with any seed, or None."""

    @property
    def title(self) -> str:
        """Name, with the side of a bound."""
        side = "lower" if self.name == RANDOM else "upper"
        return f"{self.name} ({side} bound)" if self.bound else self.name


@dataclass(frozen=True)
class AccuracySummary:
    """Networks compared over seeds."""

    lines: tuple[Line, ...]
    """Networks by descending relative accuracy, then excluded networks, then bounds."""
    marks: tuple[float, ...]
    """Granularities of `Line.accuracy`."""
    compared: tuple[Range, ...]
    """Ranges of granularities at which all compared networks have an accuracy with every seed;
    several if a network has gaps."""
    common: float
    """Share of the requested granularities at which all compared networks have an accuracy."""
    left_out: Mapping[str, float]
    """Excluded network -> its share of the requested granularities, which is too small."""
    table: pa.Table
    """One row per line, seed and granularity of the grid."""

    @property
    def overlap(self) -> Range | None:
        """The coarsest and the finest granularity at which networks are compared."""
        return (self.compared[0][0], self.compared[-1][1]) if self.compared else None


def summarise(traced: Sequence[SeedCurve], *, within: Range, least: float = 0.5) -> AccuracySummary:
    """Summarises relative accuracies over seeds.

    Shares of the range are on a logarithmic scale; a network has no accuracy within its gaps. A
    network below the share `least` would leave little range for the others and is excluded from the
    comparison. If the other networks have less than `least` in common, nothing is compared.

    Args:
        traced: curves of all lines at all seeds.
        within: requested range of granularities.
        least: minimum share of the range that a network must cover.
    """
    curves = {(trace.line, trace.seed): trace.curve for trace in traced}
    networks = list(dict.fromkeys(trace.line for trace in traced if not trace.bound))
    seeds = list(dict.fromkeys(seed for _, seed in curves))
    grid = np.geomspace(*within, POINTS)

    # Networks that have an accuracy with every seed at enough points of the grid.
    left_out = {}
    for name in networks:
        own = [curve.at(grid) for (line, _), curve in curves.items() if line == name]
        share = float(np.all(np.isfinite(own), axis=0).mean())
        if share < least:
            left_out[name] = share
    kept = [name for name in networks if name not in left_out]

    # Points where all of them have an accuracy with every seed, at least one above 0.
    common = np.full(len(grid), bool(kept))
    for seed in seeds if kept else ():
        common &= np.mean([curves[name, seed].at(grid) for name in kept], axis=0) > 0
    compared: dict[int, RelativeAccuracy] = {}
    spans: tuple[Range, ...] = ()
    if len(kept) > 1 and common.any() and float(common.mean()) >= least:
        spans = _split(grid, common)
        for seed in seeds:
            own_curves = {name: curves[name, seed] for name in kept}
            compared[seed] = compare_curves(own_curves, grid[common])

    span = (spans[0][0], spans[-1][1]) if spans else within
    marks = tuple(np.geomspace(*span, 3).tolist())
    names = dict.fromkeys(trace.line for trace in traced)
    lines = [_summarise_line(traced, name, compared, marks=marks) for name in names]
    lines.sort(key=lambda line: (line.bound, line.relative is None, -(line.relative or 0)))
    table = _table(compared, curves)
    return AccuracySummary(tuple(lines), marks, spans, float(common.mean()), left_out, table)


def _split(grid: Floats, kept: Mask) -> tuple[Range, ...]:
    """First and last point of each range of consecutive kept points."""
    rows = np.flatnonzero(kept)
    parts = np.split(grid[rows], np.flatnonzero(np.diff(rows) > 1) + 1)
    return tuple((float(part[0]), float(part[-1])) for part in parts)


def _summarise_line(
    traced: Sequence[SeedCurve],
    name: str,
    compared: Mapping[int, RelativeAccuracy],
    *,
    marks: Sequence[float],
) -> Line:
    own = [trace for trace in traced if trace.line == name]
    curves = [trace.curve for trace in own]
    at_marks = np.mean([curve.at(np.asarray(marks)) for curve in curves], axis=0)
    means = [relative.mean[name] for relative in compared.values() if name in relative.mean]
    gaps = [gap for curve in curves for gap in curve.gaps]
    gaps = [(low, high) for low, high in gaps if low < marks[-1] and high > marks[0]]
    return Line(
        name,
        own[0].bound,
        own[0].edges,
        find_overlap(curves),
        tuple(None if math.isnan(value) else float(value) for value in at_marks),
        float(np.mean(means)) if means else None,
        float(np.std(means, ddof=1)) if len(means) > 1 else None,
        max(gaps, key=lambda gap: gap[1] / gap[0], default=None),
    )


def _table(
    compared: Mapping[int, RelativeAccuracy], curves: Mapping[tuple[str, int], AccuracyCurve]
) -> pa.Table:
    """One row per line, seed and point; bounds and excluded networks have no relative accuracy."""
    parts = [_SCHEMA.empty_table()]
    for (line, seed), curve in curves.items() if compared else ():
        grid = compared[seed].granularity
        relative = compared[seed].relative.get(line)
        columns = [
            pa.array([line] * len(grid)),
            pa.array([seed] * len(grid)),
            pa.array(grid),
            pa.array(curve.at(grid), from_pandas=True),
            pa.nulls(len(grid), pa.float64()) if relative is None else pa.array(relative),
        ]
        parts.append(pa.table(columns, schema=_SCHEMA))
    return pa.concat_tables(parts)


def to_table(traced: Sequence[SeedCurve]) -> pa.Table:
    """One row per line, seed and resolution: the points of all curves."""
    rows: list[dict[str, Any]] = [
        {"line": trace.line, "bound": trace.bound, "seed": trace.seed, **point}
        for trace in traced
        for point in trace.points
    ]
    return pa.Table.from_pylist(rows)


def read_line(figures: Mapping[str, Any]) -> Line:
    """Reads a line of run.json; lists become tuples."""
    fields: dict[str, Any] = {
        name: tuple(v) if isinstance(v, list) else v for name, v in figures.items()
    }
    return Line(**fields)


def to_json(summary: AccuracySummary) -> dict[str, Any]:
    """The summary for run.json, without the table."""
    return {
        "lines": [asdict(line) for line in summary.lines],
        "marks": list(summary.marks),
        "overlap": list(summary.overlap) if summary.overlap else None,
        "left_out": list(summary.left_out),
    }
