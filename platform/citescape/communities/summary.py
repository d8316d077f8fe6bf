"""Curves of several seeds summed up: relative accuracy, its spread, and what was compared."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from citescape.communities.relative import (
    Curve,
    Range,
    Relative,
    build_curve,
    compare_curves,
    find_overlap,
)

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
    """Granularities between which it has no communities with some seed, whatever the resolution,
    if they are wide apart: nothing is compared between them."""

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
    overlap: Range | None
    """Where networks are compared: what all that are compared reach with every seed."""
    left_out: tuple[str, ...]
    """Networks in too many parts to be as coarse as is asked for."""
    table: pa.Table
    """A row a line, seed and granularity of the grid."""


def summarise(traced: Sequence[Traced], *, within: Range, least: float = 0.5) -> Summary:
    """Relative accuracies over seeds.

    A network that reaches less than a share `least` of the range, on the scale of logarithms, would
    leave little of it to compare the others by. It is left out of the comparison and named.

    Args:
        traced: every line at every seed.
        within: granularities that are asked for.
        least: share of the range that a network has to reach.
    """
    curves = {(one.line, one.seed): one.curve for one in traced}
    networks = dict.fromkeys(one.line for one in traced if not one.bound)
    reaches = {name: _reach(_of(curves, name).values()) for name in networks}
    kept = [name for name in networks if _share(reaches[name], within) >= least]
    compared = _compare(curves, kept, within=within) if len(kept) > 1 else {}
    grid = next(iter(compared.values())).granularity if compared else None
    overlap = (float(grid[0]), float(grid[-1])) if grid is not None else None
    marks = tuple(np.geomspace(*(overlap or within), 3).tolist())
    lines = [_tell(traced, name, compared, marks=marks) for name in _names(traced)]
    lines.sort(key=lambda line: (line.bound, line.relative is None, -(line.relative or 0)))
    left_out = tuple(name for name in networks if name not in kept)
    return Summary(tuple(lines), marks, overlap, left_out, _table(compared, curves))


def _compare(
    curves: Mapping[tuple[str, int], Curve], names: Sequence[str], *, within: Range
) -> dict[int, Relative]:
    """By seed, all on the same grid; empty if the curves have nothing in common."""
    kept = {f"{name} {seed}": curve for (name, seed), curve in curves.items() if name in names}
    low, high = find_overlap(kept)
    low, high = max(low, within[0]), min(high, within[1])
    seeds = dict.fromkeys(seed for _, seed in curves)
    leaps = [leap for curve in kept.values() for leap in curve.leaps]
    if low >= high or any(start <= low and end >= high for start, end in leaps):
        return {}
    return {
        seed: compare_curves(
            {name: curves[name, seed] for name in names}, within=(low, high), leaps=leaps
        )
        for seed in seeds
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
        _reach(one.curve for one in own),
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


def _of(curves: Mapping[tuple[str, int], Curve], name: str) -> dict[int, Curve]:
    return {seed: curve for (line, seed), curve in curves.items() if line == name}


def _reach(curves: Iterable[Curve]) -> Range:
    reaches = [curve.reach for curve in curves]
    return max(low for low, _ in reaches), min(high for _, high in reaches)


def _share(reach: Range, within: Range) -> float:
    """Of the logarithm of a range."""
    low, high = max(reach[0], within[0]), min(reach[1], within[1])
    return max(math.log(high / low), 0.0) / math.log(within[1] / within[0])


def _table(compared: Mapping[int, Relative], curves: Mapping[tuple[str, int], Curve]) -> pa.Table:
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
