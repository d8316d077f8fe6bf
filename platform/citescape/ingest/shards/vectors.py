"""Vectors of papers beside a graph of shards; those of one run are loaded into stores.

vectors.json                      that run
vectors/RUN/run.json              record of the run
vectors/RUN/files.json            bytes of its files, by name
vectors/RUN/00003-0002.parquet    id, text, vector of some papers of part 3
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

from citescape.core.errors import StoreError
from citescape.distributed.storage import Storage
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.labels import group_by_part
from citescape.runs.directory import RECORD, RunRecord
from citescape.runs.record import check_record
from citescape.store.embeddings import embedding_tables
from citescape.store.schema import TABLE

CHOSEN = "vectors.json"
FOLDER = "vectors"
FILES = "files.json"
_AGAIN = f"run `platform embed` over the shards again, or remove {CHOSEN} to load without vectors"


@dataclass(frozen=True)
class VectorFiles:
    """The files of vectors of a run."""

    storage: Storage
    run: str

    @classmethod
    def find(cls, graph: ShardedGraph) -> VectorFiles | None:
        """The vectors that are loaded with a graph; None without any.

        Raises:
            StoreError: they are incomplete, or of another graph.
        """
        storage = graph.storage
        if CHOSEN not in storage.sizes(CHOSEN):
            return None
        found = storage.read_json(CHOSEN)
        run = found.get("run") if isinstance(found, dict) else None
        if not isinstance(run, str):
            raise StoreError(f"{storage.address}/{CHOSEN} is damaged: expected a run; {_AGAIN}")
        vectors = cls(storage, run)
        if vectors.record().inputs.get("graph") != graph.id:
            raise StoreError(f"{storage.address}/{vectors.folder} is of another graph; {_AGAIN}")
        return vectors

    def choose(self) -> None:
        """Makes them those that are loaded with their graph."""
        self.storage.write_json(CHOSEN, {"run": self.run})

    @property
    def folder(self) -> str:
        """Their folder in the storage."""
        return f"{FOLDER}/{self.run}"

    def record(self) -> RunRecord:
        """The record of the run.

        Raises:
            StoreError: it or a file is missing or damaged.
        """
        sizes = self.storage.sizes(self.folder)
        with suppress(StoreError, ValueError, AttributeError):
            listed = self.storage.read_json(f"{self.folder}/{FILES}")
            record = RunRecord(**check_record(self.storage.read_json(f"{self.folder}/{RECORD}")))
            same = all(sizes.get(name) == size for name, size in listed.items())
            if same and record.id == self.run:
                return record
        raise StoreError(f"{self.storage.address}/{self.folder} is incomplete; {_AGAIN}")

    @cached_property
    def parts(self) -> dict[int, list[str]]:
        """Part of the graph -> names of its files."""
        names = self.storage.sizes(self.folder)
        return group_by_part(name for name in names if name.endswith(".parquet"))

    @property
    def names(self) -> list[str]:
        """Names of the files of all parts."""
        return [name for names in self.parts.values() for name in names]

    def read_rows(self, table: str, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Columns of Embedding or HAS_EMBEDDING, file by file."""
        schema = pa.schema([TABLE[table].arrow.field(name) for name in columns])
        read = [name for name in ("id", "text", "vector") if name == "id" or name in columns]
        for name in self.names:
            rows = self.storage.read_table(name, read)
            tables = embedding_tables(self.run, rows)
            yield tables[table].select(columns).cast(schema)
