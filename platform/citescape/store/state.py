"""The store's own metadata: schema version, current runs, and pending work."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pyarrow as pa

from citescape.core.errors import SchemaVersionError
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.schema import SCHEMA_VERSION

_ADDED = {
    3: ("Embedding",),
    4: ("Community",),
    5: ("Notice",),
    7: ("Record", "File", "Institution", "Collection", "IdentityDecision"),
}
"""Schema version -> labels that it added."""
UPGRADABLE = {
    str(version): tuple(
        label for later, labels in _ADDED.items() if later > version for label in labels
    )
    for version in range(2, SCHEMA_VERSION)
}
"""Earlier schema versions that only lack tables and properties -> labels since; `platform doctor
--migrate` adds them."""
EMBEDDING_RUN = "embedding_run"
"""Meta row with the run of the current vectors; empty or absent without any."""
CLUSTER_RUN = "cluster_run"
"""Meta row with the run of the current communities; empty or absent without any."""
IMPORTANCE_RUN = "importance_run"
"""Meta row with the run of all importance scores; empty without current scores."""
COUNTED = "importance_counted"
"""Meta row with the number of times that scoring in the database has found other counts."""

SHARDS = "shards"
"""Meta row with the graph of shards that the store was loaded from, see `ingest.shards.origin`."""
LOADING = "loading"
"""Meta row with the graph of shards that is being loaded into a server; empty once that is done."""

NETWORK_RUN = "network_run"
"""Meta row with the run of the RELATED edges; empty while they are being written."""

MAP_RUN = "map_run"
"""Meta row with the run of the positions of communities and papers; empty while they are being
written, and after new communities."""


def stamp_files(*paths: Path) -> str:
    """Sizes and times of the existing files: changes whenever one of them does."""
    stamps = []
    for path in paths:
        with suppress(FileNotFoundError):
            status = path.stat()
            stamps.append((status.st_size, status.st_mtime_ns))
    return repr(stamps)


def read_meta(store: GraphStore, name: str) -> str | None:
    """The value of a Meta row, or None."""
    values = store.read(query("schema/read_meta"), id=name)["value"].to_pylist()
    return values[0] if values else None


def write_meta(store: GraphStore, name: str, value: str) -> None:
    """Writes a Meta row.

    Args:
        store: the graph.
        name: id of the row.
        value: text to store.
    """
    store.write(query("schema/write_meta"), pa.table({"id": [name], "value": [value]}))


def read_importance_run(store: GraphStore) -> str | None:
    """The run of all importance scores of the store.

    None if there are no scores, if a scoring was interrupted while it wrote, or if papers were
    loaded since.
    """
    return read_meta(store, IMPORTANCE_RUN) or None


def write_schema_version(store: GraphStore) -> None:
    """Writes the schema version of this release to a new store."""
    write_meta(store, "schema_version", str(SCHEMA_VERSION))


def check_schema_version(store: GraphStore) -> None:
    """Refuses a store of another schema version.

    Raises:
        SchemaVersionError: the versions differ; the message names both, and the command to run.
    """
    found = read_meta(store, "schema_version")
    if found == str(SCHEMA_VERSION):
        return
    if found is not None and found.isdigit() and int(found) > SCHEMA_VERSION:
        raise SchemaVersionError(
            f"{store.location} has schema version {found}, this citescape supports up to "
            f"{SCHEMA_VERSION}; update citescape"
        )
    raise SchemaVersionError(
        f"{store.location} has schema version {found or 'none'}, this citescape needs "
        f"{SCHEMA_VERSION}; run `platform doctor --migrate --store {store.location}`"
    )
