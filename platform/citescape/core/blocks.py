"""Blocks of work for threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from citescape.core.cores import usable_cores

Block = TypeVar("Block")
Output = TypeVar("Output")


def run_blocks(
    work: Callable[[Block], Output], blocks: Iterable[Block], *, threads: int = 0
) -> Iterator[Output]:
    """Runs blocks of work in threads and yields their results in the order of the blocks.

    If the caller stops, blocks that have not begun are dropped.

    Args:
        work: function of one block; compiled, so that it releases the interpreter lock.
        blocks: blocks of work, arguments of `work`.
        threads: 0 for every core this process may use.
    """
    with ThreadPoolExecutor(threads or usable_cores()) as pool:
        yield from pool.map(work, blocks)
