"""What the store knows about itself: schema version and work that is still to be done."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pyarrow as pa

from citescape.core.errors import SchemaVersionError
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.schema import SCHEMA_VERSION

UPGRADABLE = {"2": ("Embedding", "Community"), "3": ("Community",)}
"""Earlier schema versions that only lack tables -> labels since; `platform doctor --migrate` adds
the tables."""
EMBEDDING_RUN = "embedding_run"
"""Meta row that names the run all vectors to be read come from; empty or absent without any."""
CLUSTER_RUN = "cluster_run"
"""Meta row that names the run the communities to be read come from; empty or absent without any."""
IMPORTANCE_RUN = "importance_run"
"""Meta row that names the run all importance scores come from; empty while there is none."""

NETWORK_RUN = "network_run"
"""Meta row that names the run the RELATED edges come from; empty while they are being written."""

MAP_RUN = "map_run"
"""Meta row that names the run the places of communities and their papers come from; empty while
they are being written, and after other communities came."""


def stamp_files(*paths: Path) -> str:
    """Sizes and times of those that are there: another text after every change of one."""
    told = []
    for path in paths:
        with suppress(FileNotFoundError):
            found = path.stat()
            told.append((found.st_size, found.st_mtime_ns))
    return repr(told)


def read_meta(store: GraphStore, name: str) -> str | None:
    """A value the store keeps about itself, or None."""
    values = store.read(query("schema/read_meta"), id=name)["value"].to_pylist()
    return values[0] if values else None


def write_meta(store: GraphStore, name: str, value: str) -> None:
    """Keeps a value about the store in the store (`Meta`)."""
    store.write(query("schema/write_meta"), pa.table({"id": [name], "value": [value]}))


def write_schema_version(store: GraphStore) -> None:
    """Marks a new store with the schema version of this release."""
    write_meta(store, "schema_version", str(SCHEMA_VERSION))


def check_schema_version(store: GraphStore) -> None:
    """Refuses a store of another schema version.

    Raises:
        SchemaVersionError: names both versions and the command that helps.
    """
    found = read_meta(store, "schema_version")
    if found == str(SCHEMA_VERSION):
        return
    if found is not None and found.isdigit() and int(found) > SCHEMA_VERSION:
        raise SchemaVersionError(
            f"{store.location} has schema version {found}, this citescape knows up to "
            f"{SCHEMA_VERSION}; update citescape"
        )
    raise SchemaVersionError(
        f"{store.location} has schema version {found or 'none'}, this citescape needs "
        f"{SCHEMA_VERSION}; run `platform doctor --migrate --store {store.location}`"
    )
