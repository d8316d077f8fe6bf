"""From points in a space to a map of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.core.progress import Progress, silent
from citescape.mapping.maps.config import LayoutConfig
from citescape.mapping.maps.fuzzy import join_nearest
from citescape.mapping.maps.nearest import Nearest, measure_kept
from citescape.mapping.maps.optimise import fit_curve, optimise
from citescape.mapping.maps.placing import AMONG, Placing
from citescape.mapping.maps.spaces import Space
from citescape.mapping.maps.starts import scale_classically, turn_flat
from citescape.networks.network import Floats

CLASSICAL = "classical scaling"
FEW = 15
"""Points below which there is no neighbourhood to speak of: distances decide."""
_MANY = 10_000
_EPOCHS, _EPOCHS_OF_MANY = 500, 300
"""Up to 10,000 points and beyond. umap-learn makes 200 of many; with half as many again,
120,000 papers keep as many neighbours as with it (docs/benchmarks.md)."""


@dataclass(frozen=True)
class Layout:
    """Points on a map."""

    ids: pa.StringArray
    """(n,) ascending."""
    positions: Floats
    """(n, 2) around 0, widest from left to right."""
    placing: Placing
    """How, and how well."""

    def __len__(self) -> int:
        return len(self.ids)


def place(
    space: Space, config: LayoutConfig | None = None, *, progress: Progress = silent
) -> Layout:
    """Places points so that those near to each other in a space lie together on a plane.

    UMAP (McInnes, Healy and Melville 2018) of lists of nearest points; fewer than 15 points are
    placed by their distances (classical scaling). Deterministic: the same space, settings and seed
    give the same positions, however many threads there are.

    Args:
        space: what is placed.
        config: how.
        progress: told what is being done.

    Raises:
        ConfigError: there are no points, or a vector is no number.
    """
    config = config or LayoutConfig()
    size = len(space.ids)
    if not size:
        raise ConfigError("nothing to place on a map: expected one point at least")
    if size == 1:
        return Layout(space.ids, np.zeros((1, 2)), Placing(CLASSICAL, None))
    progress(f"seeking the nearest of {size:,} points")
    k = config.neighbours - 1
    nearest = space.nearest(max(k, AMONG), seed=config.seed)
    if size < FEW:
        found, method = scale_classically(space.distances()), CLASSICAL
    else:
        found = _move(space, nearest.first(k), config, progress=progress)
        method = f"UMAP of {config.neighbours} neighbours"
    return Layout(space.ids, turn_flat(found), Placing(method, measure_kept(found, nearest)))


def _move(space: Space, nearest: Nearest, config: LayoutConfig, *, progress: Progress) -> Floats:
    memberships = join_nearest(nearest)
    start = space.start(memberships, seed=config.seed)
    epochs = config.epochs or (_EPOCHS if len(start) <= _MANY else _EPOCHS_OF_MANY)
    return optimise(
        memberships,
        start,
        curve=fit_curve(config.min_dist),
        epochs=epochs,
        seed=config.seed,
        progress=progress,
    )
