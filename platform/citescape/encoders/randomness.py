"""Randomness and threads while something is trained."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from citescape.encoders.threads import limit_threads


@contextmanager
def fixed_randomness(seed: int, *, threads: int) -> Iterator[None]:
    """Inside, torch draws from `seed` and uses `threads` threads.

    Sums of floats depend on the number of threads: with the same number a training gives the same
    bits again.
    """
    with torch.random.fork_rng(), limit_threads(threads):
        torch.manual_seed(seed)
        yield
