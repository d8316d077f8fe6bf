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
    """Minimum weight between two papers for which joining them raises quality.

    At resolution r it is r * scale * sizes_i * sizes_j.
    """

    sizes: Floats
    """(papers,) sizes, not negative."""
    scale: float


def find_null_model(network: Network, quality: str) -> NullModel:
    """The null model of a quality function for a network.

    - `cpm`: equal weights for all pairs of papers of the core, 0 for others.
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
    """Computes the quality of a clustering at a resolution r, per unit of weight.

    Q = (1 / 2m) sum over communities c of (w_c - r a n_c**2), where 2m is the sum of all strengths,
    w_c the weight within c, each edge counted in both directions, and n_c the sum of sizes in c:

    - `cpm`, the constant Potts model (Traag, Van Dooren and Nesterov 2011, Eq. 5): a = 1; papers
      of the core have size 1, others 0. Divided by 2m as in CWTS networkanalysis.
    - `modularity` (Newman and Girvan 2004; with r, Reichardt and Bornholdt 2006): a = 1 / 2m, the
      size of a paper is its strength.

    Args:
        network: network with weights of any scale; r of CPM is on the same scale.
        labels: (papers,) communities; papers with -1 are singletons.
        resolution: r, positive; higher values give smaller communities.
        quality: one of `QUALITIES`.

    Returns:
        At most 1; 0 for a network without edges, for which the formula is undefined.

    Raises:
        ConfigError: no such quality function; labels of other papers.
    """
    if labels.shape != (len(network),):
        raise ConfigError(
            f"labels of shape {labels.shape} for a network of {len(network)} papers; expected one "
            "label per paper of this network"
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
