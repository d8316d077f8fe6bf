"""Picture of a grid of weights: a panel per metric, a square per combination."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from citescape.core.extras import find_missing
from citescape.reports.drawing import own_settings, save

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DPI = 130
_TITLES = {"mrr": "MRR", "recall@10": "R@10", "ndcg@10": "nDCG@10"}
_COLOURS = "YlGnBu"


def draw_grid(grid: pa.Table, path: Path) -> bool:
    """Writes the rows of `profiler` as SVG or PNG, by the ending of the path.

    Equal input gives equal bytes.

    Returns:
        False if matplotlib is not installed.
    """
    if find_missing("matplotlib"):
        return False
    with own_settings():
        save(_draw([row for row in grid.to_pylist() if row["system"] == "profiler"]), path)
    return True


def _draw(rows: list[dict[str, float]]) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    figure = Figure(figsize=(11.5, 4), dpi=_DPI, layout="constrained")
    FigureCanvasAgg(figure)
    alphas, deltas = (sorted({row[name] for row in rows}) for name in ("alpha", "delta"))
    panels = figure.subplots(1, len(_TITLES))
    for axes, (metric, title) in zip(panels, _TITLES.items(), strict=True):
        values = np.zeros((len(deltas), len(alphas)))
        for row in rows:
            values[deltas.index(row["delta"]), alphas.index(row["alpha"])] = 100 * row[metric]
        axes.imshow(values, cmap=_COLOURS, aspect="auto", origin="lower")
        middle = (values.min() + values.max()) / 2
        for (y, x), value in np.ndenumerate(values):
            colour = "white" if value > middle else "#222222"
            axes.text(x, y, f"{value:.1f}", ha="center", va="center", fontsize=6.5, color=colour)
        best = np.unravel_index(values.argmax(), values.shape)  # framed below
        corner = (float(best[1]) - 0.5, float(best[0]) - 0.5)
        axes.add_patch(Rectangle(corner, 1, 1, fill=False, lw=2, edgecolor="#c8452f"))
        axes.set_xticks(range(len(alphas)), [f"{value:g}" for value in alphas], fontsize=8)
        axes.set_yticks(range(len(deltas)), [f"{value:g}" for value in deltas], fontsize=8)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_title(f"{title}, %", fontsize=10)
        axes.set_xlabel("alpha: sentences that cite, in profiles", fontsize=9)
    figure.axes[0].set_ylabel("delta: title and abstract, in queries", fontsize=9)
    return figure
