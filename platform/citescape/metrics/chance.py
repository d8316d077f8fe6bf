"""Random numbers that depend on the id of a paper only, not on other papers."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.draws import draw_each
from citescape.search.listed import Codes

Numbers = npt.NDArray[np.uint64]


def draw_numbers(ids: pa.StringArray, purpose: str, *, seed: int) -> Numbers:
    """(ids,) 64 random bits for each paper.

    Args:
        ids: ids of papers.
        purpose: name of the draw; draws of different purposes are independent.
        seed: random seed.
    """
    numbers = (draw_number(id_, purpose, seed=seed) for id_ in ids.to_pylist())
    return np.fromiter(numbers, np.uint64, len(ids))


def draw_number(id_: str, purpose: str, *, seed: int) -> int:
    """64 random bits of one paper; see `draw_numbers`.

    Args:
        id_: id of the paper.
        purpose: name of the draw.
        seed: random seed.
    """
    text = f"{seed}\0{purpose}\0{id_}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


def draw_subset(papers: Codes, count: int, keys: Numbers, *, seed: int) -> Codes:
    """(count,) papers in random order; all papers if there are fewer.

    The sample has the papers with the lowest random numbers, so that one more paper to draw from
    changes at most one paper of the sample.

    Args:
        papers: codes of the papers to draw from.
        count: size of the sample.
        keys: (all papers,) hashes from `hash_ids`.
        seed: random seed, such as `draw_number` of the query.
    """
    drawn = draw_each(seed >> 1, keys[papers], 0)  # a signed integer holds 63 bits
    if count < len(papers):
        lowest = np.argpartition(drawn, count)[:count]
        papers, drawn = papers[lowest], drawn[lowest]
    sample: Codes = papers[np.lexsort((papers, drawn))]
    return sample
