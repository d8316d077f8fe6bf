"""Quality functions of clusterings: CPM and modularity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np

from citescape.core.errors import ConfigError, invalid_choice
from citescape.mapping.communities.clustering import Labels
from citescape.mapping.communities.config import Quality
from citescape.networks.network import Floats, Network

QUALITIES = get_args(Quality)
"""Quality functions, see `compute_quality`."""


@dataclass(frozen=True)
class NullModel:
    """The weight between two papers above which they are better together than apart.

    At resolution r it is r * scale * sizes_i * sizes_j.
    """

    sizes: Floats
    """(papers,) not negative."""
    scale: float


def find_null_model(network: Network, quality: str) -> NullModel:
    """The null model of a quality function for a network.

    - `cpm`: the same weight for every two papers of the core, none for others.
    - `modularity`: s_i s_j / 2m, the weight expected by chance.

    Raises:
        ConfigError: no such quality function.
    """
    if quality not in QUALITIES:
        raise invalid_choice("quality", quality, QUALITIES)
    if quality == "cpm":
        return NullModel(network.in_core.astype(np.float64), 1.0)
    strengths = network.strengths
    total = float(strengths.sum())
    return NullModel(strengths, 1 / total if total else 0.0)


def compute_quality(
    network: Network, labels: Labels, resolution: float, *, quality: str = "cpm"
) -> float:
    """The quality of a clustering at a resolution r, per unit of weight.

    Q = (1 / 2m) sum over communities c of (w_c - r a n_c**2), where 2m is the sum of all strengths,
    w_c the weight within c, each edge counted in both directions, and n_c the sum of sizes in c:

    - `cpm`, the constant Potts model (Traag, Van Dooren and Nesterov 2011, Eq. 5): a = 1; a paper
      of the core has size 1, one outside the core 0. Divided by 2m as CWTS networkanalysis does.
    - `modularity` (Newman and Girvan 2004; with r, Reichardt and Bornholdt 2006): a = 1 / 2m, the
      size of a paper is its strength.

    Args:
        network: with weights of any scale; r of CPM is on the same scale.
        labels: (papers,) of communities; papers with -1 are alone.
        resolution: r, positive; higher values give smaller communities.
        quality: one of `QUALITIES`.

    Returns:
        1 at most; 0 for a network without edges, for which the formula is undefined.

    Raises:
        ConfigError: no such quality function; labels of other papers.
    """
    if labels.shape != (len(network),):
        raise ConfigError(
            f"labels of shape {labels.shape} for a network of {len(network)} papers; expected one "
            "label a paper, of a clustering of this network"
        )
    null = find_null_model(network, quality)
    total = float(network.weights.sum())
    if not total:
        return 0.0
    alone = labels < 0
    codes = np.where(alone, labels.max(initial=-1) + np.cumsum(alone), labels)
    sizes = np.bincount(codes, null.sizes)
    expected = resolution * null.scale * float((sizes**2).sum())
    together = np.repeat(codes, network.degrees) == codes[network.weights.indices]
    within = float(network.weights.data[together].sum())
    return (within - expected) / total
