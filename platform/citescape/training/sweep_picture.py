"""The picture of a sweep: a panel per pool and one for tasks, a dot per seed, a bar at the mean."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.extras import find_missing
from citescape.reports.drawing import CATEGORIES, OTHER, own_settings, save
from citescape.training.pools import POOLS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DPI = 130
_SAMPLER, _CONTROL = CATEGORIES[:2]
_COLOURS = {"untrained": OTHER, "uniform": _CONTROL, "shuffled": _CONTROL}
_TITLES = {
    "easy": "references above\nrandom papers",
    "hard": "references above works\ncited beside them",
    "important": "important references\nabove perfunctory ones",
    "validation": "published tasks,\nvalidation",
}


def draw_sweep(rows: pa.Table, path: Path) -> bool:
    """Writes the rows of `sweep.compare_arms` as an SVG or PNG, by the ending of the path.

    Equal input gives equal bytes. Returns False if matplotlib is not installed.
    """
    if find_missing("matplotlib"):
        return False
    with own_settings():
        save(_draw(rows), path)
    return True


def _draw(rows: pa.Table) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    names = rows["arm"].to_pylist()
    if "encoder" in rows.column_names and len(pc.unique(rows["encoder"])) > 1:
        encoders = rows["encoder"].to_pylist()
        names = [f"{name}: {arm}" for name, arm in zip(encoders, names, strict=True)]
    labels = pa.array(names)
    arms = dict(zip(names, rows["arm"].to_pylist(), strict=True))
    panels = [name for name in _TITLES if name in rows.column_names]
    size = (2.4 * len(panels) + 3.8, 1.2 + 0.32 * len(arms))
    figure = Figure(figsize=size, dpi=_DPI, layout="constrained")
    FigureCanvasAgg(figure)
    for axes, pool in zip(figure.subplots(1, len(panels), sharey=True), panels, strict=True):
        for place, (label, arm) in enumerate(arms.items()):
            values = rows.filter(pc.equal(labels, label))[pool].to_numpy()
            colour = next((c for n, c in _COLOURS.items() if arm.startswith(n)), _SAMPLER)
            axes.plot(values, np.full(len(values), place), "o", ms=4, alpha=0.45, color=colour)
            axes.plot([values.mean()] * 2, [place - 0.3, place + 0.3], lw=2.2, color=colour)
        axes.set_title(_TITLES[pool], fontsize=10)
        axes.set_xlabel("AUC" if pool in POOLS else "per cent", fontsize=9)
        axes.grid(axis="x", color="#e3e0d8", lw=0.8)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(left=False, labelsize=9)
        axes.set_yticks(range(len(arms)), arms)
    figure.axes[0].invert_yaxis()
    return figure
