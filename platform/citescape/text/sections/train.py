"""Trains the section model on what rules know of a corpus, hiding what they read."""

from __future__ import annotations

import numpy as np
import torch

from citescape.core.progress import Progress, silent
from citescape.encoders.randomness import fixed_randomness
from citescape.text.sections.checks import check_types
from citescape.text.sections.gold import allowed_types, hide_some
from citescape.text.sections.inputs import SectionInputs
from citescape.text.sections.network import NetworkShape, SectionNetwork, Windows
from citescape.text.sections.sequences import Ints
from citescape.text.sections.steps import TrainSections

_POOL = 16
"""Batches whose sequences are sorted by length together."""


def fit(
    inputs: SectionInputs, config: TrainSections, progress: Progress = silent
) -> SectionNetwork:
    """A trained network.

    Raises:
        ConfigError: too few papers have a section of some type.
    """
    check_types(inputs.sections)
    windows = Windows(inputs, allowed_types(inputs.sections))
    rng = np.random.default_rng(config.seed)
    with fixed_randomness(config.seed, threads=config.threads):
        shape = NetworkShape(inputs.titles.vectors.shape[1], config.body)
        network = SectionNetwork(shape)
        optimiser = torch.optim.AdamW(
            network.parameters(), config.learning_rate, weight_decay=config.weight_decay
        )
        steps = -(-len(windows.spans) // config.batch)  # of one epoch
        epochs = max(config.epochs, -(-config.fewest_steps // steps))
        cycle = torch.optim.lr_scheduler.OneCycleLR(
            optimiser, config.learning_rate, total_steps=epochs * steps + 1
        )
        for epoch in range(epochs):
            progress(f"training: epoch {epoch + 1} of {epochs}")
            hidden = hide_some(inputs.sections, config.hidden_share, rng)
            order = _order(windows.lengths, config.batch, rng)
            for batch in windows.batches(hidden, order, size=config.batch):
                optimiser.zero_grad()
                network.loss(batch).backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                optimiser.step()
                cycle.step()
    return network.eval()


def _order(lengths: Ints, size: int, rng: np.random.Generator) -> list[int]:
    """The sequences in random order, but such that those of a batch are about equally long.

    A batch takes as many steps as its longest sequence: this takes a third of the time.
    """
    drawn = rng.permutation(len(lengths))
    pools = np.arange(len(drawn)) // (_POOL * size)
    alike = drawn[np.lexsort((lengths[drawn], pools))]
    whole = len(alike) // size * size
    batches = alike[:whole].reshape(-1, size)
    found: list[int] = [*rng.permutation(batches).ravel().tolist(), *alike[whole:].tolist()]
    return found
