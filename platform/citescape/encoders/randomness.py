"""Randomness and threads while something is trained."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from citescape.encoders.threads import limit_threads


@contextmanager
def fixed_randomness(seed: int, *, threads: int) -> Iterator[None]:
    """Inside, torch draws from `seed` and uses `threads` threads; at the end both are as before.

    Sums of floats depend on how many threads share them, so that a training is repeated to the bit
    only with as many as before.
    """
    with torch.random.fork_rng(), limit_threads(threads):
        torch.manual_seed(seed)
        yield
