"""Who is linked to whom, in the form that compiled kernels take, and blocks of work for threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from citescape.cores import usable_cores
from citescape.networks.network import Network

Block = TypeVar("Block")
Done = TypeVar("Done")


class Links(NamedTuple):
    """Neighbours of each paper: of paper i, neighbours[indptr[i] : indptr[i + 1]], ascending."""

    indptr: npt.NDArray[np.int64]
    """(papers + 1,)"""
    neighbours: npt.NDArray[np.int32]
    """(2 edges,) positions of papers."""


def read_links(network: Network) -> Links:
    """The neighbours of a network; nothing is copied where its indices are of 32 bits."""
    weights = network.weights
    neighbours = weights.indices.astype(np.int32, copy=False)
    return Links(weights.indptr.astype(np.int64, copy=False), neighbours)


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
