"""Blocks of work for threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from citescape.core.cores import usable_cores

Block = TypeVar("Block")
Done = TypeVar("Done")


def run_blocks(
    work: Callable[[Block], Done], blocks: Iterable[Block], *, threads: int = 0
) -> Iterator[Done]:
    """Does blocks of work in threads; what they return comes in the order of the blocks.

    If the caller stops, blocks that have not begun are dropped.

    Args:
        work: compiled, so that it gives up the interpreter lock.
        blocks: what is to be done.
        threads: 0 for every core this process may use.
    """
    with ThreadPoolExecutor(threads or usable_cores()) as pool:
        yield from pool.map(work, blocks)
