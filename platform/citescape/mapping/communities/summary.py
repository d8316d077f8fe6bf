"""Curves of several seeds summed up: relative accuracy, its spread, and what was compared."""

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
    """A line, a network or one that bounds them, at one seed."""

    line: str
    bound: bool
    """It is the upper or the lower bound, no network that is compared."""
    edges: int
    seed: int
    points: Sequence[Mapping[str, float]]
    """As `curves.trace_curve` gives them."""

    @property
    def curve(self) -> Curve:
        """Accuracy by granularity."""
        return build_curve(
            [point["granularity"] for point in self.points],
            [point["accuracy"] for point in self.points],
        )


@dataclass(frozen=True)
class Line:
    """What is told of a network or a bound."""

    name: str
    bound: bool
    edges: int
    reach: Range
    """Granularities reached with every seed."""
    accuracy: tuple[float | None, ...]
    """At `Summary.marks`, mean over seeds; None where they are not reached."""
    relative: float | None
    """Relative accuracy, mean over seeds; None for bounds and for what is left out."""
    spread: float | None
    """Its standard deviation over seeds: how much the clustering's chance matters, not which
    papers there are."""
    gap: Range | None
    """The widest range of granularities in which it has no communities with some seed, whatever
    the resolution; None where no such range is wide."""

    @property
    def title(self) -> str:
        """Its name, and which bound it is if it is one."""
        side = "lower" if self.name == RANDOM else "upper"
        return f"{self.name} ({side} bound)" if self.bound else self.name


@dataclass(frozen=True)
class Summary:
    """Networks compared over seeds."""

    lines: tuple[Line, ...]
    """Networks by falling relative accuracy, then those left out, then bounds."""
    marks: tuple[float, ...]
    """Granularities at which accuracies are told."""
    compared: tuple[Range, ...]
    """Where networks are compared: granularities at which all that are compared have an accuracy
    with every seed; apart where one of them leaps."""
    common: float
    """Share of the granularities asked for that these are, or would be if they were enough."""
    left_out: Mapping[str, float]
    """Networks that have too few of the granularities asked for -> the share that they have."""
    table: pa.Table
    """A row a line, seed and granularity of the grid."""

    @property
    def overlap(self) -> Range | None:
        """From the coarsest granularity at which networks are compared to the finest."""
        return (self.compared[0][0], self.compared[-1][1]) if self.compared else None


def summarise(traced: Sequence[Traced], *, within: Range, least: float = 0.5) -> Summary:
    """Relative accuracies over seeds.

    Shares of the range are of the scale of logarithms, and what a network leaps over is none of
    its own. A network that has less than a share `least` would leave little to compare the others
    by: it is left out of the comparison and named. If those that are left have less than that in
    common, nothing is compared.

    Args:
        traced: every line at every seed.
        within: granularities that are asked for.
        least: share of the range that a network has to have.
    """
    curves = {(one.line, one.seed): one.curve for one in traced}
    networks = dict.fromkeys(one.line for one in traced if not one.bound)
    grid = np.geomspace(*within, POINTS)
    shares = {name: float(_find_measured(curves, name, grid).mean()) for name in networks}
    left_out = {name: share for name, share in shares.items() if share < least}
    kept = [name for name in networks if name not in left_out]
    common = _find_common(curves, kept, grid)
    enough = len(kept) > 1 and common.any() and float(common.mean()) >= least
    compared = _compare(curves, kept, grid[common]) if enough else {}
    spans = _split(grid, common) if enough else ()
    marks = tuple(np.geomspace(*((spans[0][0], spans[-1][1]) if spans else within), 3).tolist())
    lines = [_tell(traced, name, compared, marks=marks) for name in _names(traced)]
    lines.sort(key=lambda line: (line.bound, line.relative is None, -(line.relative or 0)))
    table = _table(compared, curves)
    return Summary(tuple(lines), marks, spans, float(common.mean()), left_out, table)


Curves = Mapping[tuple[str, int], Curve]
"""By line and seed."""


def _find_measured(curves: Curves, name: str, grid: Floats) -> Mask:
    """(points,) where a line has an accuracy with every seed."""
    found = [np.isfinite(one.at(grid)) for (line, _), one in curves.items() if line == name]
    measured: Mask = np.all(found, axis=0)
    return measured


def _find_common(curves: Curves, names: Sequence[str], grid: Floats) -> Mask:
    """(points,) where with every seed all lines have an accuracy, one of them above 0."""
    common = np.full(len(grid), bool(names))
    for seed in {seed for _, seed in curves} if names else ():
        common &= np.mean([curves[name, seed].at(grid) for name in names], axis=0) > 0
    return common


def _split(grid: Floats, kept: Mask) -> tuple[Range, ...]:
    """First and last of the points that are kept without one left out between them."""
    rows = np.flatnonzero(kept)
    parts = np.split(grid[rows], np.flatnonzero(np.diff(rows) > 1) + 1)
    return tuple((float(part[0]), float(part[-1])) for part in parts)


def _compare(curves: Curves, names: Sequence[str], grid: Floats) -> dict[int, Relative]:
    """By seed."""
    seeds = dict.fromkeys(seed for _, seed in curves)
    return {
        seed: compare_curves({name: curves[name, seed] for name in names}, grid) for seed in seeds
    }


def _tell(
    traced: Sequence[Traced],
    name: str,
    compared: Mapping[int, Relative],
    *,
    marks: Sequence[float],
) -> Line:
    own = [one for one in traced if one.line == name]
    at = np.mean([one.curve.at(np.asarray(marks)) for one in own], axis=0)
    means = [found.mean[name] for found in compared.values() if name in found.mean]
    return Line(
        name,
        own[0].bound,
        own[0].edges,
        find_overlap(one.curve for one in own),
        tuple(None if math.isnan(value) else float(value) for value in at),
        float(np.mean(means)) if means else None,
        float(np.std(means, ddof=1)) if len(means) > 1 else None,
        _find_gap([one.curve for one in own], within=(marks[0], marks[-1])),
    )


def _find_gap(curves: Sequence[Curve], *, within: Range) -> Range | None:
    """The widest one of any curve, if it is wide and in the range."""
    leaps = [leap for curve in curves for leap in curve.leaps]
    told = [(low, high) for low, high in leaps if low < within[1] and high > within[0]]
    return max(told, key=lambda leap: leap[1] / leap[0], default=None)


def _names(traced: Sequence[Traced]) -> list[str]:
    return list(dict.fromkeys(one.line for one in traced))


def _table(compared: Mapping[int, Relative], curves: Curves) -> pa.Table:
    """Bounds, and what is left out, have no relative accuracy."""
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
    """A row a line, seed and resolution: the points of all curves."""
    rows: list[dict[str, Any]] = [
        {"line": one.line, "bound": one.bound, "seed": one.seed, **point}
        for one in traced
        for point in one.points
    ]
    return pa.Table.from_pylist(rows)


def read_line(told: Mapping[str, Any]) -> Line:
    """A line as run.json tells it: JSON has no tuples."""
    made: dict[str, Any] = {
        name: tuple(v) if isinstance(v, list) else v for name, v in told.items()
    }
    return Line(**made)


def to_json(summary: Summary) -> dict[str, Any]:
    """What run.json says: all but the table."""
    return {
        "lines": [asdict(line) for line in summary.lines],
        "marks": list(summary.marks),
        "overlap": list(summary.overlap) if summary.overlap else None,
        "left_out": list(summary.left_out),
    }
