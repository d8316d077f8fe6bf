"""Controls: samplers without their informative part, as baselines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from citescape.networks.citations import Citations


def shuffle_importance(citations: Citations, *, seed: int) -> Citations:
    """Permutes importance within each reference list.

    Algorithm 1 then draws random references as positives and as hard negatives.
    """
    keys = np.random.default_rng([seed, 31]).random(len(citations))
    order = np.lexsort((keys, citations.citing))
    return replace(citations, weights=citations.weights[order])
