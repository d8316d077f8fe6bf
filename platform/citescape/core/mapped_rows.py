"""Some rows of a large table, which may be a file mapped into memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


class MappedRows:
    """A table of several batches, of which rows are read by number.

    `pyarrow.Table.take` would copy all texts of the table each time.
    """

    def __init__(self, table: pa.Table) -> None:
        """Takes rows of a table, perhaps one that is mapped from a file."""
        self.table = table
        self._batches: list[pa.RecordBatch] = table.to_batches()
        self._ends = np.cumsum([0, *(batch.num_rows for batch in self._batches)])

    def take(self, rows: NDArray[np.int64], columns: Sequence[str] | None = None) -> pa.Table:
        """The rows with these sorted numbers; only these are read from disk.

        Args:
            rows: (k,) numbers, ascending.
            columns: names of columns (default: all).
        """
        bounds = np.searchsorted(rows, self._ends)
        names = list(columns or self.table.column_names)
        taken = [
            batch.select(names).take(pa.array(rows[low:high] - end))
            for batch, end, low, high in zip(
                self._batches, self._ends, bounds, bounds[1:], strict=False
            )
            if high > low
        ]
        schema = pa.schema([self.table.schema.field(name) for name in names])
        return pa.Table.from_batches(taken, schema)
