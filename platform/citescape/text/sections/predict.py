"""Types of sections by a trained network, under what rules know already."""

from __future__ import annotations

import numpy as np

from citescape.text.sections.inputs import SectionInputs
from citescape.text.sections.network import SectionNetwork, Windows
from citescape.text.sections.sequences import TYPES, Flags, Ints, Probabilities

_BATCH = 64


def predict(
    network: SectionNetwork, inputs: SectionInputs, *, allowed: Flags, hidden: Flags | None = None
) -> tuple[Ints, Probabilities]:
    """Types (n,) as indices into `TYPES`, and the probability of each, rounded to 4 decimals.

    Args:
        network: trained.
        inputs: of the n sections.
        allowed: (n, types) which types each may have; those known pull on their neighbours.
        hidden: (n,) titles not to look at; none by default.
    """
    n = len(inputs.sections)
    types, sure = np.zeros(n, np.int64), np.zeros(n, np.float64)
    windows = Windows(inputs, allowed)
    unseen = np.zeros(n, bool) if hidden is None else hidden
    for batch in windows.batches(unseen, windows.by_length(), size=_BATCH):
        found, probabilities = network.predict(batch)
        rows = batch.rows[batch.mask].numpy()
        types[rows] = found[batch.mask].numpy()
        sure[rows] = probabilities[batch.mask].numpy()
    rounded: Probabilities = np.round(sure, 4)
    return types, rounded


def anything(sections: int) -> Flags:
    """(n, types) nothing is ruled out."""
    return np.ones((sections, len(TYPES)), bool)
