"""Copies of a graph that is loaded once, for tests that write to it: faster than an ingest."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import ingest
from citescape.store.graph_store import Change, GraphStore, open_store
from citescape.store.schema import TABLE
from citescape.store.statements import read_text


def read_tables(store: GraphStore) -> dict[str, pa.Table]:
    """All rows of all tables, nodes first."""
    return {name: store.read(read_text(table)).cast(table.arrow) for name, table in TABLE.items()}


def fill_store(store: GraphStore, tables: Mapping[str, pa.Table]) -> GraphStore:
    """Fills an empty store, of any engine, with the content of another."""
    meta = tables["Meta"]
    own = {
        "Meta": meta.filter(pc.not_equal(meta["id"], "schema_version"))
    }  # every store has its own
    rows = {**tables, **own}
    store.apply([Change("insert", name, rows[name]) for name in TABLE], atomic=True)
    return store


def ingest_file(papers: Path, path: Path) -> Path:
    """Ingests papers into a new ladybug file, which is closed."""
    with closing(open_store(str(path))) as store:
        ingest(store, [papers], IngestConfig(workers=1))
    return path


@contextmanager
def open_copy(store: GraphStore, file: Path, folder: Path) -> Iterator[GraphStore]:
    """The graph of a ladybug file, on the engine of an empty store."""
    if store.dialect == "ladybug":
        with closing(open_store(str(shutil.copy(file, folder / "copy.lbug")))) as copy:
            yield copy
    else:
        with closing(open_store(str(file), read_only=True)) as source:
            tables = read_tables(source)
        yield fill_store(store, tables)
