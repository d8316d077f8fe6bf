"""Sets of ids in memory, as Arrow columns."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from citescape.ingest.shards.graph import parts_of

_PARTS = 64
"""Parts that are searched one by one: most columns of a graph of shards have ids of few parts."""


class IdSet:
    """Ids, about as large in memory as their texts; not changed once it is made."""

    def __init__(self, columns: Iterable[pa.ChunkedArray]) -> None:
        waiting: list[list[pa.Array]] = [[] for _ in range(_PARTS)]
        for column in columns:
            ids = pc.unique(column.drop_null())
            for part, rows in _by_part(pa.chunked_array([ids])):
                waiting[part].append(ids.take(rows))
        none = pa.array([], pa.string())
        self._parts = [pc.unique(pa.concat_arrays([none, *arrays])) for arrays in waiting]

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    @property
    def column(self) -> pa.ChunkedArray:
        """All ids, in no particular order."""
        return pa.chunked_array(self._parts)

    def mask(self, ids: pa.ChunkedArray) -> pa.Array:
        """(n,) whether the set has each id."""
        column = ids.combine_chunks()
        found: NDArray[np.bool_] = np.zeros(len(column), np.bool_)
        for part, rows in _by_part(ids):
            own = self._parts[part]
            if len(own):
                among = pc.is_in(column.take(rows), value_set=own)
                found[rows.to_numpy()] = among.to_numpy(zero_copy_only=False)
        return pa.array(found)


def _by_part(ids: pa.ChunkedArray) -> Iterable[tuple[int, pa.Array]]:
    """Each part that ids belong to, with the rows of these."""
    of_row = parts_of(ids, _PARTS).to_numpy()
    order = np.argsort(of_row, kind="stable")
    present, starts = np.unique(of_row[order], return_index=True)
    ends = np.append(starts, len(order))[1:]
    for part, start, end in zip(present, starts, ends, strict=True):
        yield int(part), pa.array(order[start:end])
