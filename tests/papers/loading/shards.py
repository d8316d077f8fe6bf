"""Splits the graph of a store into shards, as an ingest into shards writes them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pyarrow as pa

from citescape.ingest.shards.graph import ShardedGraph
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.schema import TABLE
from tests.copies import read_tables
from tests.sharded import part_of_rows, split_tables

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
    return split_tables({**tables, "CITES": cites}, folder, parts)


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
    storage.write_json("scores.json", {"run": run.name, "graph": graph.state})


def read_all(location: str) -> dict[str, list[str]]:
    """Sorted rows of all tables of a store but Meta and File, whose order has no meaning."""
    with closing(open_store(location, read_only=True)) as store:
        return sorted_rows(read_tables(store))


def sorted_rows(tables: Mapping[str, pa.Table]) -> dict[str, list[str]]:
    """Rows of tables as texts, sorted, without Meta."""
    return {
        name: sorted(map(repr, rows.to_pylist())) for name, rows in tables.items() if name != "Meta"
    }
