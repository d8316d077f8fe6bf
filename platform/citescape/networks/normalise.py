"""Weights relative to how much their ends are linked, and the strongest edges of each paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from citescape.core.errors import ConfigError, invalid_choice
from citescape.networks.network import Floats, Mask, Network
from citescape.search.selection import select_rows

Ends = tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]]


def _fractional(strengths: Floats, core: Mask, ends: Ends) -> Floats:
    """N (1 / s_i + 1 / s_j) / 2, of ends in the core."""
    share = np.divide(1.0, strengths, out=np.zeros(len(core)), where=core & (strengths > 0))
    factor: Floats = int(core.sum()) * (share[ends[0]] + share[ends[1]]) / 2
    return factor


def _association(strengths: Floats, _: Mask, ends: Ends) -> Floats:
    """2 m / (s_i s_j)."""
    factor: Floats = float(strengths.sum()) / (strengths[ends[0]] * strengths[ends[1]])
    return factor


_FACTORS: Mapping[str, Callable[[Floats, Mask, Ends], Floats]] = {
    "fractional": _fractional,
    "association": _association,
}


def normalise(network: Network, how: str, *, strengths: Floats | None = None) -> Network:
    """The network with each weight relative to the strengths of its ends.

    With s_i the sum of the weights of i, 2m that of all s and N the number of papers:

    - `fractional`: w_ij N (1/s_i + 1/s_j) / 2 (Waltman and van Eck 2012): what a paper gives to
      each of its links adds up to N, however many there are. Papers outside the core give nothing
      and do not count in N (Waltman et al. 2020), so an edge between two of them goes.
    - `association`: w_ij 2m / (s_i s_j), the association strength (van Eck and Waltman 2009): how
      many times the weight expected if links were dealt out by strengths alone.
    - `none`: as it is.

    These are the scales of CWTS networkanalysis, so that resolutions mean what they mean there.

    Args:
        network: any.
        how: one of these.
        strengths: (papers,) s, where the network is part of the one that is meant; else its own.

    Raises:
        ConfigError: no such normalisation.
    """
    if how == "none":
        return network
    if how not in _FACTORS:
        raise invalid_choice("normalise", how, ["none", *_FACTORS])
    weights = network.weights
    ends = np.repeat(np.arange(len(network)), network.degrees), weights.indices
    strengths = network.strengths if strengths is None else strengths
    factor = _FACTORS[how](strengths, network.in_core, ends)
    parts = (weights.data * factor, weights.indices, weights.indptr)
    scaled = csr_array(parts, weights.shape, copy=True)
    scaled.eliminate_zeros()  # in place, so not in arrays that the given network has too
    return replace(network, weights=scaled)


def prune(network: Network, top: int) -> Network:
    """The strongest `top` edges of each paper; an edge stays if either end keeps it.

    Of equal weights the edge to the lower id is kept. 0 keeps all.

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
