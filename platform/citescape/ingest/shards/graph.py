"""A graph in a folder: Parquet files with the tables of the store's schema.

    graph.json                    parts, version of the schema, rows of every file
    labels.json                   labels beside it, see `labels`
    graph/Paper/00003.parquet     the papers of part 3
    graph/CITES/00003.parquet     what they cite

A part holds papers with all that is theirs: sections, in-text citations, reference lists, what they
cite, links to terms. Nodes of authors and terms are in parts by their own ids, and WROTE is with
the author. `graph.json` is written last, and removed first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import pyarrow as pa

from citescape.core.errors import SchemaVersionError, StoreError, list_some
from citescape.core.hashing import hash_texts
from citescape.distributed.exchange import part_of
from citescape.distributed.storage import Storage
from citescape.ingest.shards.labels import Labels, read_labels
from citescape.store.schema import SCHEMA_VERSION, TABLE
from citescape.store.statements import key_columns

MANIFEST = "graph.json"
FOLDER = "graph"
_FIELDS = {"schema", "parts", "files", "account", "id"}


@dataclass(frozen=True)
class ShardedGraph:
    """A complete graph of shards."""

    storage: Storage
    parts: int
    rows: Mapping[str, int]
    """Rows of each file: `graph/Paper/00003.parquet` -> 5000."""
    account: Mapping[str, object]
    """What the ingest says of its sources."""
    id: str
    """Hash of the sources and of how they were read: other content has another id."""
    labels: Mapping[str, Labels] = field(default_factory=dict)
    """What labellers wrote beside it, by kind; its columns are those that `read` gives."""

    @classmethod
    def open(cls, storage: Storage, *, labels: bool = True) -> ShardedGraph:
        """The graph in a folder, with its labels.

        Args:
            storage: the folder.
            labels: read which labels it has.

        Raises:
            StoreError: none, or its files are not those that it names.
            SchemaVersionError: a graph of another version of the schema.
        """
        sizes = storage.sizes()
        if MANIFEST not in sizes:
            raise StoreError(
                f"{storage.address} holds no complete graph of shards; expected one that "
                f"`platform ingest SOURCES --shards {storage.address}` has finished"
            )
        found = storage.read_json(MANIFEST)
        if not isinstance(found, dict) or not found.keys() >= _FIELDS:
            raise StoreError(
                f"{storage.address}/{MANIFEST} is damaged: expected {', '.join(sorted(_FIELDS))}; "
                "run the ingest again, or copy the whole folder"
            )
        if found["schema"] != SCHEMA_VERSION:
            raise SchemaVersionError(
                f"{storage.address} has shards of schema version {found['schema']}; expected "
                f"version {SCHEMA_VERSION}: ingest the sources again into another folder"
            )
        try:
            bytes_of = {name: int(facts["bytes"]) for name, facts in found["files"].items()}
            rows = {name: int(facts["rows"]) for name, facts in found["files"].items()}
            graph = cls(storage, int(found["parts"]), rows, found["account"], found["id"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise StoreError(
                f"{storage.address}/{MANIFEST} is damaged: {error!r}; run the ingest again, or "
                "copy the whole folder"
            ) from error
        present = {name for name in sizes if name.startswith(f"{FOLDER}/")}
        if gone := sorted(bytes_of.keys() - present):
            raise StoreError(
                f"{storage.address} lacks {list_some(gone)}, which {MANIFEST} names; run the "
                "ingest again, or copy the whole folder"
            )
        other = [name for name, size in sorted(bytes_of.items()) if sizes[name] != size]
        if other:
            raise StoreError(
                f"{list_some(other)} in {storage.address} differs in size from what {MANIFEST} "
                "states; run the ingest again, or copy the whole folder"
            )
        return replace(graph, labels=read_labels(storage, graph.division)) if labels else graph

    @cached_property
    def division(self) -> str:
        """Hash of the manifest, 32 digits: another division of the same papers has another one."""
        return hashlib.blake2b(self.storage.read(MANIFEST), digest_size=16).hexdigest()

    @property
    def state(self) -> str:
        """Division and changed types of sections: what scores depend on."""
        sections = self.labels.get("sections")
        if sections is None or not sections.figures["written"]:
            return self.division
        return f"{self.division}-{sections.key}"

    def count(self, table: str) -> int:
        """Number of rows of a table."""
        return sum(n for name, n in self.rows.items() if name.startswith(f"{FOLDER}/{table}/"))

    def files(self, table: str) -> list[str]:
        """Names of the files of a table, by part."""
        names = (name_file(table, part) for part in range(self.parts))
        return [name for name in names if name in self.rows]

    def read(self, table: str, part: int, columns: Sequence[str] | None = None) -> pa.Table:
        """Rows of a table in one part, perhaps none, with all columns or some.

        Raises:
            StoreError: a file is damaged.
        """
        wanted = [*(columns or TABLE[table].arrow.names)]
        labels = [labels for labels in self.labels.values() if labels.have(table, wanted)]
        keys = key_columns(TABLE[table]) if labels else []
        rows = self._read(table, part, list(dict.fromkeys([*wanted, *keys])))
        for own in labels:
            rows = own.put(self.storage, rows, table, part)
        return rows.select(wanted)

    def _read(self, table: str, part: int, wanted: list[str]) -> pa.Table:
        """Rows of a file, without labels."""
        schema, name = TABLE[table].arrow, name_file(table, part)
        if name not in self.rows:
            return schema.empty_table().select(wanted)
        rows = self.storage.read_table(name, wanted)
        expected = pa.schema([schema.field(column) for column in wanted])
        if rows.column_names != wanted or rows.num_rows != self.rows[name]:
            raise StoreError(
                f"{self.storage.address}/{name} has {rows.num_rows:,} rows of "
                f"{list_some(rows.column_names)}; {MANIFEST} states {self.rows[name]:,} of "
                f"{list_some(wanted)}: run the ingest again, or copy the whole folder"
            )
        try:
            return rows.cast(expected)
        except pa.ArrowInvalid as error:
            raise StoreError(f"{self.storage.address}/{name} is damaged: {error}") from error

    def only(self, part: int, tables: Collection[str]) -> ShardedGraph:
        """What a task reads of one part: small enough to send to a process."""
        names = [name_file(table, part) for table in tables]
        return replace(
            self,
            rows={name: self.rows[name] for name in names if name in self.rows},
            account={},
            labels={kind: labels.only(part) for kind, labels in self.labels.items()},
        )

    def iterate(self, table: str, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
        """Rows of a table, part by part."""
        for part in range(self.parts):
            yield self.read(table, part, columns)


def name_file(table: str, part: int) -> str:
    """Name of the file of a table in one part."""
    return f"{FOLDER}/{table}/{part:05}.parquet"


def parts_of(ids: pa.ChunkedArray, parts: int) -> pa.Array:
    """The part (n,) of each id of a paper or another node."""
    return pa.array(part_of(hash_texts(ids), parts))


def write_part(storage: Storage, part: int, tables: Mapping[str, pa.Table]) -> dict[str, object]:
    """Writes the tables of one part; returns rows and bytes of each file."""
    account: dict[str, object] = {}
    for table, rows in sorted(tables.items()):
        if rows.num_rows:
            schema = TABLE[table].arrow
            name = name_file(table, part)
            size = storage.write_table(name, rows.select(schema.names).cast(schema))
            account[name] = {"rows": rows.num_rows, "bytes": size}
    return account


def complete(
    storage: Storage,
    *,
    parts: int,
    files: Mapping[str, object],
    account: Mapping[str, object],
    id_: str,
) -> ShardedGraph:
    """Writes the manifest, after all parts.

    Args:
        storage: the folder.
        parts: number of parts.
        files: results of `write_part` together.
        account: what the ingest says of its sources.
        id_: see `ShardedGraph.id`.
    """
    manifest = {
        "schema": SCHEMA_VERSION,
        "parts": parts,
        "files": files,
        "account": account,
        "id": id_,
    }
    storage.write_json(MANIFEST, manifest)
    return ShardedGraph.open(storage)
