"""Random numbers that belong to a paper, by its id: other papers do not change them."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Numbers = npt.NDArray[np.uint64]


def draw_numbers(ids: pa.StringArray, purpose: str, *, seed: int) -> Numbers:
    """(ids,) 64 random bits each, others for another purpose or seed."""
    found = (_draw(id_, purpose, seed) for id_ in ids.to_pylist())
    return np.fromiter(found, np.uint64, len(ids))


def open_chance(id_: str, purpose: str, *, seed: int) -> np.random.Generator:
    """A generator of a paper's own."""
    return np.random.default_rng(_draw(id_, purpose, seed))


def _draw(id_: str, purpose: str, seed: int) -> int:
    text = f"{seed}\0{purpose}\0{id_}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
