"""What a Neo4j database needs to hold the graph: room, constraints, indexes, a finished import."""

from __future__ import annotations

from collections.abc import Iterator

from citescape.errors import StoreError
from citescape.graph.schema import NODE, NODES, REL
from citescape.graph.state import read_meta, write_meta
from citescape.graph.store import GraphStore

_INDEXED = {"Paper": ("doi", "pmid", "pmcid")}
_LABELS_IN_USE = "CALL db.labels() YIELD label RETURN label"
_INDEX_NAMES = "SHOW INDEXES YIELD name RETURN name"
_AWAIT = "CALL db.awaitIndexes(36000)"  # ten hours: a first load may have brought a billion rows

ONE_EMPTY = "\x1e"
IMPORT_REPAIR = "import_one_empty"
"""Meta row of an imported store: the columns (`Paper.givens,...`) where `ONE_EMPTY` stands for a
list of one empty text, which the importer cannot read. Empty once that is put right."""


def refuse_clashing_labels(store: GraphStore) -> None:
    """Other data may live in the same database, but not under the labels of this graph.

    Raises:
        StoreError: there are such nodes; citescape would mix with them and delete some.
    """
    used = store.read(_LABELS_IN_USE)["label"].to_pylist()
    counts = {
        label: store.read(f"MATCH (n:{label}) RETURN count(n) AS n")["n"][0].as_py()
        for label in sorted(set(used) & NODE.keys())
    }
    clashing = [f"{n} {label}" for label, n in counts.items() if n]
    if clashing:
        raise StoreError(
            f"{store.location} holds nodes that citescape did not write under labels it needs "
            f"({', '.join(clashing)}); use another database or another server"
        )


def complete_schema(store: GraphStore) -> None:
    """Creates the constraints and indexes that are missing, and waits until they work."""
    present = set(store.read(_INDEX_NAMES)["name"].to_pylist())
    missing = [text for name, text in _definitions() if name not in present]
    for text in missing:
        store.write(text)
    if missing:
        store.write(_AWAIT)


def finish_import(store: GraphStore) -> None:
    """Puts right what the offline importer could not read; does nothing on any other store."""
    columns = read_meta(store, IMPORT_REPAIR)
    if not columns:
        return
    for column in columns.split(","):
        table, name = column.split(".")
        pattern = f"()-[x:{table}]->()" if table in REL else f"(x:{table})"
        store.write(
            f"MATCH {pattern} WHERE x.{name} = $written "
            f"CALL {{ WITH x SET x.{name} = $meant }} IN TRANSACTIONS OF 10000 ROWS",
            written=[ONE_EMPTY],
            meant=[""],
        )
    write_meta(store, IMPORT_REPAIR, "")


def _definitions() -> Iterator[tuple[str, str]]:
    """Name and statement of every constraint and index; a constraint's index bears its name."""
    for table in NODES:
        name = f"citescape_{table.name}_id"
        yield (
            name,
            f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{table.name}) REQUIRE n.id IS UNIQUE",
        )
    for label, properties in _INDEXED.items():
        for key in properties:
            name = f"citescape_{label}_{key}"
            yield name, f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.{key})"
