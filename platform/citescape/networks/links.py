"""Who is linked to whom, in the form that compiled kernels take."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from citescape.networks.network import Network


class Links(NamedTuple):
    """Neighbours of each paper: of paper i, neighbours[indptr[i] : indptr[i + 1]], ascending."""

    indptr: npt.NDArray[np.int64]
    """(papers + 1,)"""
    neighbours: npt.NDArray[np.int32]
    """(2 edges,) positions of papers."""


def read_links(network: Network) -> Links:
    """The neighbours of a network; nothing is copied where its indices are of 32 bits."""
    weights = network.weights
    neighbours = weights.indices.astype(np.int32, copy=False)
    return Links(weights.indptr.astype(np.int64, copy=False), neighbours)
