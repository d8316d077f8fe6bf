"""Simplified graph convolution: features of papers smoothed over a network (Wu et al. 2019)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, diags_array, eye_array

from citescape.core.errors import ConfigError

if TYPE_CHECKING:
    from citescape.networks.network import Network

Floats = npt.NDArray[np.float32]


def encode_sgc(network: Network, features: npt.NDArray[np.floating], *, steps: int = 2) -> Floats:
    """S^K X with S = D^-1/2 (A + I) D^-1/2 (Eq. 8, without its classifier).

    Nothing is learned: a paper's vector is a weighted mean of the features up to K edges away, a
    baseline for trained models. An isolated paper keeps its features.

    Args:
        network: A, weighted, (papers, papers).
        features: X (papers, d) in the order of `network.ids`, such as vectors of their texts.
        steps: K.

    Raises:
        ConfigError: the number of rows of features is wrong, or `steps` is negative.
    """
    if features.ndim != 2 or len(features) != len(network.ids):
        raise ConfigError(
            f"features of shape {features.shape} for {len(network.ids)} papers; "
            "expected a row for each, in the order of the network's ids"
        )
    if steps < 0:
        raise ConfigError(f"steps is {steps}; expected 0 or more")
    smoothing = normalise(network).astype(np.float32)
    smoothed = np.ascontiguousarray(features, np.float32)
    for _ in range(steps):
        smoothed = smoothing @ smoothed  # (papers, d)
    return smoothed


def normalise(network: Network) -> csr_array:
    """S = D^-1/2 (A + I) D^-1/2, D the row sums of A + I: (papers, papers)."""
    looped = (network.weights + eye_array(len(network.ids), format="csr")).tocsr()
    scale = diags_array(1 / np.sqrt(looped.sum(axis=1)))
    return csr_array(scale @ looped @ scale)
