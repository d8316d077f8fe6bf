"""Hashes of texts: equal for equal texts, the same on every machine."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.hashing import hash_texts

MASK = (1 << 64) - 1


def spelled_out(text: str) -> int:
    """FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/)."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return value


@given(st.lists(st.one_of(st.none(), st.text())), st.integers(0, 3))
def test_a_hash_depends_on_the_text_alone(texts: list[str | None], start: int) -> None:
    column = pa.chunked_array([pa.array(texts, pa.string()), pa.array(texts, pa.string())])
    found = hash_texts(column.slice(min(start, len(texts))))
    expected = [spelled_out(text or "") for text in (texts * 2)[min(start, len(texts)) :]]
    assert found.dtype == np.uint64
    assert found.tolist() == expected


def test_no_texts_have_no_hashes() -> None:
    assert hash_texts(pa.chunked_array([], pa.string())).tolist() == []
