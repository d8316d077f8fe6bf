"""Number of threads of torch: the last bits of sums depend on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def limit_threads(count: int) -> Iterator[None]:
    """Inside, torch uses `count` threads; 0 for as many as before."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count or before)
    try:
        yield
    finally:
        torch.set_num_threads(before)
