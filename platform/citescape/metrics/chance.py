"""Random numbers that belong to a paper, by its id: other papers do not change them."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.draws import draw_each
from citescape.search.listed import Codes

Numbers = npt.NDArray[np.uint64]


def draw_numbers(ids: pa.StringArray, purpose: str, *, seed: int) -> Numbers:
    """(ids,) 64 random bits each, others for another purpose or seed."""
    found = (draw_number(id_, purpose, seed=seed) for id_ in ids.to_pylist())
    return np.fromiter(found, np.uint64, len(ids))


def draw_number(id_: str, purpose: str, *, seed: int) -> int:
    """64 random bits of a paper's own."""
    text = f"{seed}\0{purpose}\0{id_}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def take_some(papers: Codes, count: int, keys: Numbers, *, seed: int) -> Codes:
    """(count,) of these papers, all if there are no more, in random order.

    Each has a number of its own, and those with the lowest are taken: one more paper to take from
    replaces one at most.

    Args:
        papers: codes.
        count: how many.
        keys: (all papers,) of `hash_ids`.
        seed: such as `draw_number` of the paper that they are taken for.
    """
    drawn = draw_each(seed >> 1, keys[papers], 0)  # a signed integer holds 63 bits
    if count < len(papers):
        lowest = np.argpartition(drawn, count)[:count]
        papers, drawn = papers[lowest], drawn[lowest]
    taken: Codes = papers[np.lexsort((papers, drawn))]
    return taken
