"""Randomness and threads while something is trained."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def fixed_randomness(seed: int, *, threads: int) -> Iterator[None]:
    """Inside, torch draws from `seed` and uses `threads` threads; at the end both are as before.

    Sums of floats depend on how many threads share them, so that a training is repeated to the bit
    only with as many as before.
    """
    before = torch.get_num_threads()
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        torch.set_num_threads(threads)
        try:
            yield
        finally:
            torch.set_num_threads(before)
