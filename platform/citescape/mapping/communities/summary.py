"""Curves of several seeds: relative accuracy, its spread, and the compared ranges."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from citescape.mapping.communities.relative import (
    Curve,
    Range,
    Relative,
    build_curve,
    compare_curves,
    find_overlap,
)
from citescape.networks.network import Floats, Mask

POINTS = 100
"""Granularities at which networks are compared, equally spaced in the logarithm."""
RANDOM = "random"
"""Name of the lower bound; the upper one has that of the criterion."""
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
class Traced:
    """The curve of a network or a bound at one seed."""

    line: str
    bound: bool
    """Whether it is the upper or lower bound, not a compared network."""
    edges: int
    seed: int
    points: Sequence[Mapping[str, float]]
    """See `curves.trace_curve`."""

    @property
    def curve(self) -> Curve:
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
    """At `Summary.marks`, mean over seeds; None if not reached."""
    relative: float | None
    """Relative accuracy, mean over seeds; None for bounds and lines left out."""
    spread: float | None
    """Standard deviation of `relative` over seeds: the effect of random numbers, not of the
    selection of papers."""
    gap: Range | None
    """The widest range of granularities that no resolution gives, with some seed; None if no such
    range is wide."""

    @property
    def title(self) -> str:
        """Name, and the side of a bound."""
        side = "lower" if self.name == RANDOM else "upper"
        return f"{self.name} ({side} bound)" if self.bound else self.name


@dataclass(frozen=True)
class Summary:
    """Networks compared over seeds."""

    lines: tuple[Line, ...]
    """Networks by falling relative accuracy, then those left out, then bounds."""
    marks: tuple[float, ...]
    """Granularities of `Line.accuracy`."""
    compared: tuple[Range, ...]
    """Ranges of granularities at which all compared networks have an accuracy with every seed;
    several if one of them leaps."""
    common: float
    """Share of the requested granularities at which all networks kept have an accuracy."""
    left_out: Mapping[str, float]
    """Networks with too few of the requested granularities -> the share that they have."""
    table: pa.Table
    """One row per line, seed and granularity of the grid."""

    @property
    def overlap(self) -> Range | None:
        """The coarsest and the finest granularity at which networks are compared."""
        return (self.compared[0][0], self.compared[-1][1]) if self.compared else None


def summarise(traced: Sequence[Traced], *, within: Range, least: float = 0.5) -> Summary:
    """Relative accuracies over seeds.

    Shares of the range are on a logarithmic scale; a network has no accuracy within its leaps. A
    network with less than the share `least` would leave little range for the others: it is left out
    of the comparison. If the networks kept have less than that in common, nothing is compared.

    Args:
        traced: every line at every seed.
        within: requested granularities.
        least: smallest share of the range of a network.
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

    # Points where with every seed all of them have an accuracy, one of them above 0.
    common = np.full(len(grid), bool(kept))
    for seed in seeds if kept else ():
        common &= np.mean([curves[name, seed].at(grid) for name in kept], axis=0) > 0
    compared: dict[int, Relative] = {}
    spans: tuple[Range, ...] = ()
    if len(kept) > 1 and common.any() and float(common.mean()) >= least:
        spans = _split(grid, common)
        for seed in seeds:
            own_curves = {name: curves[name, seed] for name in kept}
            compared[seed] = compare_curves(own_curves, grid[common])

    span = (spans[0][0], spans[-1][1]) if spans else within
    marks = tuple(np.geomspace(*span, 3).tolist())
    names = dict.fromkeys(trace.line for trace in traced)
    lines = [_sum_up(traced, name, compared, marks=marks) for name in names]
    lines.sort(key=lambda line: (line.bound, line.relative is None, -(line.relative or 0)))
    table = _table(compared, curves)
    return Summary(tuple(lines), marks, spans, float(common.mean()), left_out, table)


def _split(grid: Floats, kept: Mask) -> tuple[Range, ...]:
    """First and last point of each unbroken run of kept points."""
    rows = np.flatnonzero(kept)
    parts = np.split(grid[rows], np.flatnonzero(np.diff(rows) > 1) + 1)
    return tuple((float(part[0]), float(part[-1])) for part in parts)


def _sum_up(
    traced: Sequence[Traced],
    name: str,
    compared: Mapping[int, Relative],
    *,
    marks: Sequence[float],
) -> Line:
    own = [trace for trace in traced if trace.line == name]
    curves = [trace.curve for trace in own]
    at_marks = np.mean([curve.at(np.asarray(marks)) for curve in curves], axis=0)
    means = [relative.mean[name] for relative in compared.values() if name in relative.mean]
    leaps = [leap for curve in curves for leap in curve.leaps]
    gaps = [(low, high) for low, high in leaps if low < marks[-1] and high > marks[0]]
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


def _table(compared: Mapping[int, Relative], curves: Mapping[tuple[str, int], Curve]) -> pa.Table:
    """One row per line, seed and point; bounds and lines left out have no relative accuracy."""
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


def to_table(traced: Sequence[Traced]) -> pa.Table:
    """One row per line, seed and resolution: the points of all curves."""
    rows: list[dict[str, Any]] = [
        {"line": trace.line, "bound": trace.bound, "seed": trace.seed, **point}
        for trace in traced
        for point in trace.points
    ]
    return pa.Table.from_pylist(rows)


def read_line(figures: Mapping[str, Any]) -> Line:
    """A line of run.json; lists become tuples."""
    fields: dict[str, Any] = {
        name: tuple(v) if isinstance(v, list) else v for name, v in figures.items()
    }
    return Line(**fields)


def to_json(summary: Summary) -> dict[str, Any]:
    """The summary for run.json, without the table."""
    return {
        "lines": [asdict(line) for line in summary.lines],
        "marks": list(summary.marks),
        "overlap": list(summary.overlap) if summary.overlap else None,
        "left_out": list(summary.left_out),
    }
