"""Splits the graph of a store into shards, as an ingest into shards writes them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.distributed.storage import Storage
from citescape.ingest.records import owners
from citescape.ingest.shards.graph import ShardedGraph, complete, parts_of, write_part
from citescape.papers.loading.tables import TABLES
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.schema import TABLE
from tests.copies import read_tables

PARTS = 4
SCORES = ("mentions", "f_I", "f_M", "f_R", "f_D", "f_other", "self", "importance", "run")
"""Columns of CITES that a score writes."""


def split_store(store: GraphStore, folder: Path, *, parts: int = PARTS) -> ShardedGraph:
    """Writes the papers of a store, without scores, as a graph of shards."""
    tables = read_tables(store)
    cites = tables["CITES"]
    for name in SCORES:
        field = cites.schema.field(name)
        place = cites.schema.get_field_index(name)
        cites = cites.set_column(place, field, pa.nulls(cites.num_rows, field.type))
    return split_tables({**tables, "CITES": cites}, folder, parts=parts)


def split_tables(
    tables: Mapping[str, pa.Table], folder: Path, *, parts: int = PARTS
) -> ShardedGraph:
    """Writes tables as a graph of shards."""
    storage = Storage(str(folder))
    of_row = {name: part_of_rows(name, rows, parts) for name, rows in tables.items()}
    files: dict[str, object] = {}
    for part in range(parts):
        own = {name: tables[name].filter(pa.array(of_row[name] == part)) for name in TABLES}
        files |= write_part(storage, part, own)
    return complete(storage, parts=parts, files=files, account={}, id_="0123456789abcdef")


def part_of_rows(name: str, rows: pa.Table, parts: int) -> np.ndarray:
    """The part (n,) of each row: that of its paper, author, or own id."""
    if name in ("DESCRIBES", "Record"):
        column = "from" if name == "DESCRIBES" else "id"
        papers = pc.replace_substring_regex(rows[column], r"@[^@]*$", "")
    elif name in ("WROTE", "Author"):
        papers = rows["from" if name == "WROTE" else "id"]
    else:
        papers = owners(name, rows)
    return parts_of(papers, parts).to_numpy()


def write_scores(store: GraphStore, run: Path, graph: ShardedGraph) -> None:
    """Writes the scores of a store beside its shards.

    Args:
        store: the graph that was scored.
        run: the run directory.
        graph: its shards.
    """
    cites = store.read(
        "MATCH (a:Paper)-[x:CITES]->(b:Paper) RETURN a.id AS `from`, b.id AS `to`, "
        + ", ".join(f"x.{name} AS {name}" for name in SCORES)
    )
    schema = TABLE["CITES"].arrow
    cites = cites.cast(pa.schema([schema.field(name) for name in cites.column_names]))
    of_row = part_of_rows("CITES", cites, graph.parts)
    storage = graph.storage
    for part in range(graph.parts):
        rows = cites.filter(pa.array(of_row == part))
        storage.write_table(f"scores/{run.name}/{part:05}.parquet", rows)
    storage.write(f"scores/{run.name}/run.json", (run / "run.json").read_bytes())
    storage.write_json("scores.json", {"run": run.name, "parts": graph.parts})


def read_all(location: str) -> dict[str, list[str]]:
    """Sorted rows of all tables of a store but Meta and File, whose order has no meaning."""
    with closing(open_store(location, read_only=True)) as store:
        return sorted_rows(read_tables(store))


def sorted_rows(tables: Mapping[str, pa.Table]) -> dict[str, list[str]]:
    """Rows of tables as texts, sorted, without Meta."""
    return {
        name: sorted(map(repr, rows.to_pylist())) for name, rows in tables.items() if name != "Meta"
    }
