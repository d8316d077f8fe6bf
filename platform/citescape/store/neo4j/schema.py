"""Preparation of a Neo4j database: unused labels, constraints, indexes, a finished import."""

from __future__ import annotations

from collections.abc import Collection

from citescape.core.errors import StoreError
from citescape.store.graph_store import GraphStore
from citescape.store.schema import NODE, NODES, REL
from citescape.store.state import EMBEDDING_RUN, LOADING, read_meta, write_meta
from citescape.store.vector_index import VECTOR_INDEX, prepare_vector_index

_INDEXED = {"Paper": ("doi", "pmid", "pmcid")}
_LABELS_IN_USE = "CALL db.labels() YIELD label RETURN label"
_INDEX_NAMES = "SHOW INDEXES YIELD name RETURN name"
_DIMENSIONS = "MATCH (e:Embedding) RETURN size(e.vector) AS n LIMIT 1"
_AWAIT = "CALL db.awaitIndexes(36000)"  # ten hours, enough for a first load of a billion rows

NO_ENTRY, ONE_EMPTY = "\x1d", "\x1e"
"""Written in import files for `[]` and `['']`, which the offline importer cannot read."""
NO_NUMBER = -(2**63)
"""Written in import files as the only entry of empty lists of numbers."""
NO_FLOAT = -(2.0**127) * (2 - 2.0**-23)
"""The same for lists of floats: the smallest of single precision."""
IMPORT_MARKS = "import_marks"
"""Meta row of an imported store: columns (`Paper.givens,...`) with such marks; empty once they are
replaced."""


def refuse_clashing_labels(store: GraphStore, labels: Collection[str] = NODE) -> None:
    """Refuses a database in which other data uses labels of this graph.

    Raises:
        StoreError: such nodes exist; citescape would mix with them and delete some.
    """
    used = store.read(_LABELS_IN_USE)["label"].to_pylist()
    counts = {
        label: store.read(f"MATCH (n:{label}) RETURN count(n) AS n")["n"][0].as_py()
        for label in sorted(set(used) & set(labels))
    }
    clashing = [f"{n} {label}" for label, n in counts.items() if n]
    if clashing:
        raise StoreError(
            f"{store.location} holds nodes that citescape did not write under labels it needs "
            f"({', '.join(clashing)}); use another database or another server"
        )


def complete_schema(store: GraphStore) -> None:
    """Creates missing constraints and indexes, and waits until they are online.

    The index of a constraint has the name of the constraint.
    """
    definitions: dict[str, str] = {}
    for table in NODES:
        name = f"citescape_{table.name}_id"
        target = f"FOR (n:{table.name}) REQUIRE n.id IS UNIQUE"
        definitions[name] = f"CREATE CONSTRAINT {name} IF NOT EXISTS {target}"
    for label, properties in _INDEXED.items():
        for key in properties:
            name = f"citescape_{label}_{key}"
            definitions[name] = f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.{key})"
    present = set(store.read(_INDEX_NAMES)["name"].to_pylist())
    missing = [text for name, text in definitions.items() if name not in present]
    for text in missing:
        store.write(text)
    if VECTOR_INDEX not in present and read_meta(store, EMBEDDING_RUN):  # from the importer
        for dimensions in store.read(_DIMENSIONS)["n"].to_pylist():
            prepare_vector_index(store, dimensions)
            missing.append(VECTOR_INDEX)
    if missing:
        store.write(_AWAIT)


def refuse_unfinished_import(store: GraphStore) -> None:
    """Refuses to read an imported store whose marks are not replaced yet.

    Raises:
        StoreError: the store still has marks of the offline importer.
    """
    if read_meta(store, IMPORT_MARKS):
        raise StoreError(
            f"{store.location} comes from the offline importer and still holds its marks for empty "
            "lists, and no indexes; a command that may write completes the import, such as "
            f"`platform score --store {store.location}`"
        )


def refuse_unfinished_load(store: GraphStore) -> None:
    """Refuses a store that has a part of a graph of shards only.

    Raises:
        StoreError: a load was interrupted, or is running.
    """
    if read_meta(store, LOADING):
        raise StoreError(
            f"{store.location} has a part of a graph of shards only: `platform load` was "
            "interrupted, or is running; run the same command again to complete it, or empty the "
            "database"
        )


def finish_import(store: GraphStore) -> None:
    """Replaces the marks in import files by the lists they stand for, in an imported store."""
    columns: dict[str, list[str]] = {}
    for column in filter(None, (read_meta(store, IMPORT_MARKS) or "").split(",")):
        table, _, name = column.partition(".")
        columns.setdefault(table, []).append(name)
    marks = {"none": [NO_ENTRY], "one": [ONE_EMPTY], "number": [NO_NUMBER], "float": [NO_FLOAT]}
    value = (
        "CASE x.{0} WHEN $none THEN [] WHEN $number THEN [] WHEN $float THEN [] "
        "WHEN $one THEN [''] ELSE x.{0} END"
    )
    for table, names in columns.items():  # reads each node or relationship once
        pattern = f"()-[x:{table}]->()" if table in REL else f"(x:{table})"
        lists = ", ".join(f"x.{name}" for name in names)
        settings = ", ".join(f"x.{name} = {value.format(name)}" for name in names)
        text = (
            f"MATCH {pattern} "
            f"WHERE any(list IN [{lists}] WHERE list IN [$none, $one, $number, $float]) "
            f"CALL (x) {{ SET {settings} }} IN TRANSACTIONS OF 10000 ROWS"
        )
        store.write(text, **marks)
    if columns:
        write_meta(store, IMPORT_MARKS, "")
