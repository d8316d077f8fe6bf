"""Normalises weights by the strengths of their ends, and selects the strongest edges."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError, invalid_choice
from citescape.networks.config import NORMALISATIONS
from citescape.networks.network import Floats, Network
from citescape.search.selection import select_rows


def normalise(network: Network, method: str, *, strengths: Floats | None = None) -> Network:
    """Normalises each weight by the strengths of its ends.

    With s_i the sum of the weights of i, 2m the sum of all s and N the number of papers:

    - `fractional`: w_ij N (1/s_i + 1/s_j) / 2 (Waltman and van Eck 2012): the shares
      of a paper's edges add up to N, independently of their number. Papers outside the core have no
      share and do not count in N (Waltman et al. 2020), so an edge between two of them is removed.
    - `association`: w_ij 2m / (s_i s_j), the association strength (van Eck and Waltman 2009): the
      weight divided by its expectation if links were drawn in proportion to strengths.
    - `none`: unchanged.

    The scales are those of CWTS networkanalysis, so resolutions are comparable.

    Args:
        network: network to normalise.
        method: `fractional`, `association` or `none`.
        strengths: (papers,) s of the whole network, if `network` has only some of its edges.

    Raises:
        ConfigError: no such normalisation.
    """
    if method not in NORMALISATIONS:
        raise invalid_choice("normalise", method, NORMALISATIONS)
    if method == "none":
        return network
    weights, core = network.weights, network.in_core
    source, target = np.repeat(np.arange(len(network)), network.degrees), weights.indices
    sums = network.strengths if strengths is None else strengths
    if method == "fractional":
        shares = np.divide(1.0, sums, out=np.zeros(len(core)), where=core & (sums > 0))
        factor = int(core.sum()) * (shares[source] + shares[target]) / 2
    else:
        factor = float(sums.sum()) / (sums[source] * sums[target])
    parts = (weights.data * factor, weights.indices, weights.indptr)
    scaled = csr_array(parts, weights.shape, copy=True)
    scaled.eliminate_zeros()  # in place: `copy` keeps the arrays of the given network unchanged
    return replace(network, weights=scaled)


def prune(network: Network, top: int) -> Network:
    """Keeps the `top` strongest edges of each paper; an edge is kept if either end keeps it.

    Among equal weights the edge to the lower id is kept. 0 keeps all.

    Raises:
        ConfigError: `top` is negative.
    """
    if top < 0:
        raise ConfigError(f"top is {top}; expected 0 for all edges, or more")
    if top == 0 or not len(network) or int(network.degrees.max()) <= top:
        return network
    weights = network.weights
    keep = np.zeros(len(weights.data), np.bool_)
    keep[select_rows(weights.indptr, weights.data, top)[1]] = True
    starts = np.append(0, np.cumsum(keep, dtype=weights.indptr.dtype))[weights.indptr]
    kept = csr_array((weights.data[keep], weights.indices[keep], starts), weights.shape)
    return replace(network, weights=kept.maximum(kept.T).tocsr())
