"""How many threads torch uses: sums of floats, and so last bits, depend on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def limit_threads(count: int) -> Iterator[None]:
    """Inside, torch uses `count` threads (0: as many as before); at the end as many as before."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count or before)
    try:
        yield
    finally:
        torch.set_num_threads(before)
