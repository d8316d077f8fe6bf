"""Places of nodes on a map, sizes and colours."""

from __future__ import annotations

import colorsys

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.mapping.communities.clustering import Labels
from citescape.networks.network import Floats, Mask

_GOLDEN = 0.618033988749895
"""Difference of hues of consecutive numbers, 0 to 1: hues differ for any number of communities."""
_GREY = (0.75, 0.75, 0.75)
_SMALLEST, _LARGEST = 4.0, 40.0
"""Minimum and maximum diameter."""


def find_places(table: pa.Table, ids: pa.StringArray, *, key: str) -> pa.Table:
    """Finds places (nodes,) on a map: columns x and y, null for nodes that are not on it.

    There are no columns if no node is on the map.

    Args:
        table: papers or topics of a map.
        ids: (nodes,) ids of papers or names of topics.
        key: column of `table` with ids or names.
    """
    rows = pc.index_in(ids, value_set=table[key].combine_chunks().cast(pa.string()))
    x, y = (table[name].cast(pa.float64()).combine_chunks().take(rows) for name in ("x", "y"))
    known = pc.fill_null(pc.and_(pc.is_finite(x), pc.is_finite(y)), False)
    if not pc.any(known).as_py():
        return pa.table({})
    null = pa.scalar(None, pa.float64())
    return pa.table({"x": pc.if_else(known, x, null), "y": pc.if_else(known, y, null)})


def find_placed(nodes: pa.Table) -> Mask:
    """(nodes,) whether a node has a place."""
    if "x" not in nodes.column_names:
        return np.zeros(len(nodes), np.bool_)
    placed: Mask = nodes["x"].combine_chunks().is_valid().to_numpy(zero_copy_only=False)
    return placed


def scale_places(nodes: pa.Table, side: float) -> tuple[Floats, Floats] | None:
    """Centres places (nodes,) at 0 and scales them so that the longer side is `side`.

    NaN for nodes without a place; None if no node has a place.
    """
    if not find_placed(nodes).any():
        return None
    x, y = (nodes[name].to_numpy() for name in ("x", "y"))
    x, y = x - np.nanmin(x), y - np.nanmin(y)
    longest = max(np.nanmax(x), np.nanmax(y)) or 1.0
    x, y = x / longest, y / longest  # the inverse of a tiny extent would be infinite
    return (x - np.nanmax(x) / 2) * side, (y - np.nanmax(y) / 2) * side


def compute_sizes(values: Floats) -> Floats:
    """Diameters (nodes,) from 4 to 40, whose areas grow with the values, which are 0 or more."""
    most = float(values.max(initial=0.0))
    share = np.sqrt(np.maximum(values, 0) / most) if most > 0 else np.zeros(len(values))
    return np.asarray(_SMALLEST + (_LARGEST - _SMALLEST) * share)


def choose_colours(labels: Labels) -> npt.NDArray[np.uint8]:
    """Colours (nodes, 3) in red, green and blue by community; grey for -1.

    A community number always has the same colour.
    """
    count = int(labels.max(initial=-1)) + 1
    known = [
        colorsys.hls_to_rgb((k * _GOLDEN) % 1, (0.45, 0.6, 0.35)[k // 8 % 3], 0.65)
        for k in range(count)
    ]
    return np.round(np.array([*known, _GREY])[labels] * 255).astype(np.uint8)
