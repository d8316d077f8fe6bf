"""Hashes of ids, and orders that depend only on them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.draws import hash_ids
from citescape.sampling.draws import SHARE, SPLIT, epoch_purpose, shuffle_anchors


@given(st.lists(st.integers(0, 1000), unique=True, max_size=50), st.randoms())
def test_the_order_of_anchors_depends_on_keys_only(anchors: list[int], chance: object) -> None:
    given_, keys = np.array(anchors, np.int32), named(1001)
    mixed = list(anchors)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    first = shuffle_anchors(given_, keys, seed=1, purpose=SPLIT)
    again = shuffle_anchors(np.array(mixed, np.int32), keys, seed=1, purpose=SPLIT)
    assert first.tolist() == again.tolist()
    assert sorted(first.tolist()) == sorted(anchors)


@cache
def named(papers: int) -> np.ndarray:
    """Keys of p0, p1, ..."""
    return hash_ids(pa.array([f"p{k}" for k in range(papers)]))


def test_removing_papers_keeps_the_order_of_anchors() -> None:
    """The key depends on the paper only: removing papers does not change the order of others."""
    ids = pa.array([f"paper {k}" for k in range(200)])
    kept = np.flatnonzero(np.arange(200) % 3 == 0)
    every = shuffle_anchors(np.arange(200), hash_ids(ids), seed=4, purpose=SHARE)
    fewer = hash_ids(ids.take(pa.array(kept)))
    some = kept[shuffle_anchors(np.arange(len(kept)), fewer, seed=4, purpose=SHARE)]
    assert some.tolist() == [anchor for anchor in every.tolist() if anchor % 3 == 0]


def test_ids_are_hashed_byte_by_byte() -> None:
    """FNV-1a (Fowler, Noll and Vo): known values; slices give the same hashes as the whole."""
    ids = pa.array(["", "a", "foobar", "ä", "p1"])
    found = hash_ids(ids)
    known = [0xCBF29CE484222325, 0xAF63DC4C8601EC8C, 0x85944171F73967E8]
    assert found[:3].tolist() == known
    assert len({*found.tolist()}) == 5
    assert hash_ids(ids.slice(2, 2)).tolist() == found[2:4].tolist()
    assert hash_ids(pa.array([], pa.string())).tolist() == []


def test_seeds_and_purposes_give_other_orders() -> None:
    anchors = np.arange(100, dtype=np.int32)
    orders = {
        tuple(shuffle_anchors(anchors, named(100), seed=seed, purpose=purpose).tolist())
        for seed in (0, 1)
        for purpose in (SPLIT, SHARE, epoch_purpose(0), epoch_purpose(1))
    }
    assert len(orders) == 8
