"""The answer to a query: its first rows, up to a number of rows and of bytes."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pyarrow as pa

from citescape.papers.cypher import run_cypher
from citescape.sandbox.values import plain_value
from citescape.store.graph_store import GraphStore

_BATCH_ROWS = 100


@dataclass(frozen=True)
class Answer:
    """Rows of a query as values of JSON (see `values`), and what was left out of them."""

    columns: list[str]
    rows: list[list[Any]]
    capped: Literal["", "rows", "bytes"]
    """Which limit left out rows; empty if these are all."""
    seconds: float
    """Time of the engine, and of the conversion."""
    warnings: list[str]


def read_answer(
    store: GraphStore,
    text: str,
    params: Mapping[str, object],
    *,
    rows: int,
    size: int,
    seconds: float = 0.0,
) -> Answer:
    """The first rows of a statement that only reads.

    Args:
        store: the graph.
        text: statement, with or without the header of a library query.
        params: values of its parameters.
        rows: maximum number of rows.
        size: maximum number of bytes as JSON.
        seconds: time limit; 0 for no limit.

    Raises:
        ConfigError, QueryTimeoutError, StoreError: see `run_cypher`.
    """
    begun = time.perf_counter()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        table = run_cypher(store, text, params, timeout=seconds, most=rows + 1)
    shown: list[list[Any]] = []
    capped: Literal["", "rows", "bytes"] = "rows" if table.num_rows > rows else ""
    for row in _plain_rows(table.slice(0, rows)):
        size -= len(json.dumps(row))
        if size < 0:
            capped = "bytes"
            break
        shown.append(row)
    taken = time.perf_counter() - begun
    return Answer(table.column_names, shown, capped, taken, [str(w.message) for w in caught])


def _plain_rows(table: pa.Table) -> Iterator[list[Any]]:
    for batch in table.to_batches(max_chunksize=_BATCH_ROWS):
        for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            yield [plain_value(value) for value in values]
