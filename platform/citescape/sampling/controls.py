"""Controls: what a sampler is worth shows beside the same one without what makes it special."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from citescape.networks.citations import Citations


def shuffle_importance(citations: Citations, *, seed: int) -> Citations:
    """Each reference list keeps its importances, but they are dealt out anew among its works.

    With it, Algorithm 1 draws random references as positives and as hard negatives.
    """
    keys = np.random.default_rng([seed, 31]).random(len(citations))
    order = np.lexsort((keys, citations.citing))
    return replace(citations, weights=citations.weights[order])
