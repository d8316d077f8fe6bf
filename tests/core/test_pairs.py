"""Positions of ids in a list, and fingerprints of lists of ids."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.pairs import find_rows, fingerprint_ids


@pytest.mark.parametrize("make", [pa.array, lambda ids, kind: pa.chunked_array([ids], kind)])
def test_positions_of_ids(make: object) -> None:
    among = pa.array(["a", "c", "e"])
    for ids, places in ((["e", "b", "a", None], [2, -1, 0, -1]), ([], [])):
        result = find_rows(make(ids, pa.string()), among)  # type: ignore[operator]
        assert (result.tolist(), result.dtype) == (places, np.int64)
    assert find_rows(among, pa.array([], pa.string())).tolist() == [-1, -1, -1]


def test_lists_of_ids_have_distinct_hashes() -> None:
    lists = (["a", "b"], ["ab"], ["a"], ["b", "a"], [])
    assert len({fingerprint_ids(pa.array(ids, pa.string())) for ids in lists}) == len(lists)
