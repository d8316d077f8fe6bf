"""Places points of a space on a plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.mapping.maps.config import LayoutConfig
from citescape.mapping.maps.fuzzy import join_nearest
from citescape.mapping.maps.nearest import measure_kept
from citescape.mapping.maps.optimise import fit_curve, optimise
from citescape.mapping.maps.placing import AMONG, LayoutQuality
from citescape.mapping.maps.spaces import Space
from citescape.mapping.maps.starts import scale_classically, turn_flat
from citescape.networks.network import Floats

CLASSICAL = "classical scaling"
FEW = 15
"""Number of points below which classical scaling of distances is used."""
_MANY = 10_000
_EPOCHS, _EPOCHS_OF_MANY = 500, 300
"""Epochs for up to 10,000 points, and for more. umap-learn uses 200 for more; with 300, a map of
120,000 papers keeps as many neighbours as one of umap-learn (docs/benchmarks.md)."""


@dataclass(frozen=True)
class Layout:
    """Points on a map."""

    ids: pa.StringArray
    """(n,) ascending."""
    positions: Floats
    """(n, 2) around 0, widest from left to right."""
    placing: LayoutQuality
    """Method and quality."""

    def __len__(self) -> int:
        return len(self.ids)


def place(
    space: Space, config: LayoutConfig | None = None, *, progress: Progress = silent
) -> Layout:
    """Places points on a plane so that near points of a space are placed together.

    The method is UMAP (McInnes, Healy and Melville 2018) of lists of nearest points, or classical
    scaling of distances for fewer than 15 points. It is deterministic: the same space, settings and
    seed give the same positions for any number of threads.

    Args:
        space: points with distances.
        config: settings.
        progress: receives the current stage.

    Raises:
        ConfigError: there are no points, or a vector is not finite.
    """
    config = config or LayoutConfig()
    size = len(space.ids)
    if not size:
        raise ConfigError("no points to place on a map; expected at least one")
    if size == 1:
        return Layout(space.ids, np.zeros((1, 2)), LayoutQuality(CLASSICAL, None))
    progress(f"searching nearest neighbours of {size:,} points")
    k = config.neighbours - 1
    nearest = space.nearest(max(k, AMONG), seed=config.seed)
    if size < FEW:
        positions, method = scale_classically(space.distances()), CLASSICAL
    else:
        memberships = join_nearest(nearest.first(k))
        positions = optimise(
            memberships,
            space.start(memberships, seed=config.seed),
            curve=fit_curve(config.min_dist),
            epochs=config.epochs or (_EPOCHS if size <= _MANY else _EPOCHS_OF_MANY),
            seed=config.seed,
            progress=progress,
        )
        method = f"UMAP of {config.neighbours} neighbours"
    placing = LayoutQuality(method, measure_kept(positions, nearest))
    return Layout(space.ids, turn_flat(positions), placing)
