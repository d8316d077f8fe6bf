"""Places of nodes on a map, and their sizes and colours."""

from __future__ import annotations

import colorsys

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from citescape.mapping.communities.clustering import Labels
from citescape.networks.network import Floats, Mask

_GOLDEN = 0.618033988749895
"""Share of a turn between the hues of consecutive numbers: hues lie far apart for any count."""
_GREY = (0.75, 0.75, 0.75)
_SMALLEST, _LARGEST = 4.0, 40.0
"""Diameters."""


def find_places(table: pa.Table, ids: pa.StringArray, *, key: str) -> pa.Table:
    """Columns x and y (nodes,) of a map, in its own units; null for nodes that are not on it.

    No columns if none of the nodes is on the map.

    `table` is that of a map; `key` is its column with ids or names of nodes.
    """
    rows = pc.index_in(ids, value_set=table[key].combine_chunks().cast(pa.string()))
    x, y = (table[name].cast(pa.float64()).combine_chunks().take(rows) for name in ("x", "y"))
    known = pc.fill_null(pc.and_(pc.is_finite(x), pc.is_finite(y)), False)
    if not pc.any(known).as_py():
        return pa.table({})
    none = pa.scalar(None, pa.float64())
    return pa.table({"x": pc.if_else(known, x, none), "y": pc.if_else(known, y, none)})


def find_placed(nodes: pa.Table) -> Mask:
    """(nodes,) true for nodes with a place."""
    if "x" not in nodes.column_names:
        return np.zeros(len(nodes), np.bool_)
    placed: Mask = nodes["x"].combine_chunks().is_valid().to_numpy(zero_copy_only=False)
    return placed


def scale_places(nodes: pa.Table, side: float) -> tuple[Floats, Floats] | None:
    """Places (nodes,), centred at 0 and scaled so that the larger extent is `side`.

    NaN for nodes without a place; None if no node has one.
    """
    if not find_placed(nodes).any():
        return None
    x, y = (nodes[name].to_numpy() for name in ("x", "y"))
    extents = np.nanmax(x) - np.nanmin(x), np.nanmax(y) - np.nanmin(y)
    factor = side / (max(extents) or 1.0)
    middle = (np.nanmax(x) + np.nanmin(x)) / 2, (np.nanmax(y) + np.nanmin(y)) / 2
    return (x - middle[0]) * factor, (y - middle[1]) * factor


def compute_sizes(values: Floats) -> Floats:
    """(nodes,) diameters from 4 to 40, so that areas grow with the values, which are 0 or more."""
    most = float(values.max(initial=0.0))
    share = np.sqrt(np.maximum(values, 0) / most) if most > 0 else np.zeros(len(values))
    return np.asarray(_SMALLEST + (_LARGEST - _SMALLEST) * share)


def choose_colours(labels: Labels) -> npt.NDArray[np.uint8]:
    """(nodes, 3) red, green, blue, one colour per community; grey for -1.

    A number always gets the same colour.
    """
    count = int(labels.max(initial=-1)) + 1
    known = [
        colorsys.hls_to_rgb((k * _GOLDEN) % 1, (0.45, 0.6, 0.35)[k // 8 % 3], 0.65)
        for k in range(count)
    ]
    return np.round(np.array([*known, _GREY])[labels] * 255).astype(np.uint8)
