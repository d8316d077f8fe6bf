"""Graphs of shards from the tables of a store, divided as an ingest divides them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.distributed.storage import Storage
from citescape.ingest.records import owners
from citescape.ingest.shards.graph import ShardedGraph, complete, parts_of, write_part
from citescape.papers.loading.tables import TABLES


def split_tables(
    tables: Mapping[str, pa.Table], folder: Path, parts: int, *, seed: int | None = None
) -> ShardedGraph:
    """Writes the tables of a graph as a folder of shards.

    Args:
        tables: all rows by table, see `tests.copies.read_tables`.
        folder: the folder.
        parts: number of parts.
        seed: shuffles the rows of every file; None keeps their order.
    """
    storage, files = Storage(str(folder)), dict[str, object]()
    of_row = {name: part_of_rows(name, tables[name], parts) for name in TABLES}
    for part in range(parts):
        own = {name: tables[name].filter(pa.array(of_row[name] == part)) for name in TABLES}
        if seed is not None:
            rng = np.random.default_rng([seed, part])
            own = {name: rows.take(rng.permutation(len(rows))) for name, rows in own.items()}
        files |= write_part(storage, part, own)
    return complete(storage, parts=parts, files=files, account={}, id_="tables")


def part_of_rows(name: str, rows: pa.Table, parts: int) -> np.ndarray:
    """The part (n,) of each row: that of its paper, author, or own id."""
    if name in ("DESCRIBES", "Record"):
        column = "from" if name == "DESCRIBES" else "id"
        papers = pc.replace_substring_regex(rows[column], r"@[^@]*$", "")
    elif name in ("WROTE", "Author"):
        papers = rows["from" if name == "WROTE" else "id"]
    else:
        papers = owners(name, rows)
    return np.asarray(parts_of(papers, parts))
