"""Vectors of papers beside a graph of shards; those of one run are loaded into stores.

vectors.json                      that run
vectors/RUN/run.json              record of the run
vectors/RUN/files.json            bytes of its files, by name
vectors/RUN/00003-0002.parquet    id, text, vector of some papers of part 3
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import StoreError
from citescape.distributed.storage import Storage
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.labels import part_of_file
from citescape.runs.directory import RECORD, RunRecord
from citescape.runs.record import check_record
from citescape.store.schema import TABLE

CHOSEN = "vectors.json"
FOLDER = "vectors"
FILES = "files.json"
TABLES = ("Embedding", "HAS_EMBEDDING")


def embedding_tables(
    run: str, papers: pa.Table, vectors: pa.Array | pa.ChunkedArray
) -> dict[str, pa.Table]:
    """Vectors as rows of Embedding and HAS_EMBEDDING.

    Args:
        run: their run.
        papers: (n) with columns `id` and `text`.
        vectors: (n) lists of numbers.
    """
    ids = pc.binary_join_element_wise(run, papers["id"].cast(pa.string()), "/")
    nodes = {"id": ids, "run": pa.repeat(run, len(ids)), "text": papers["text"], "vector": vectors}
    links = {"from": papers["id"], "to": ids}
    return {"Embedding": pa.table(nodes), "HAS_EMBEDDING": pa.table(links)}


def paper_of_embedding(run: str, ids: pa.ChunkedArray) -> pa.ChunkedArray:
    """Ids of papers from ids of the nodes of their vectors."""
    return pc.utf8_slice_codeunits(ids, len(run) + 1)


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
        try:
            found = cls(storage, storage.read_json(CHOSEN)["run"])
            if found.record().inputs["graph"] != graph.id:
                raise StoreError("they are of another graph")
            sizes = storage.sizes(found.folder)
            for name, size in storage.read_json(f"{found.folder}/{FILES}").items():
                if sizes.get(name) != size:
                    raise StoreError(f"{name} has {sizes.get(name, 0)} of {size} bytes")
        except (KeyError, TypeError, AttributeError, ValueError, StoreError) as error:
            raise StoreError(
                f"{storage.address}/{CHOSEN} names vectors that cannot be loaded: {error}; run "
                f"`platform embed` over the shards again, or remove {CHOSEN} to load without them"
            ) from error
        return found

    def choose(self) -> None:
        """Makes them those that are loaded with their graph."""
        self.storage.write_json(CHOSEN, {"run": self.run})

    @property
    def folder(self) -> str:
        """Their folder in the storage."""
        return f"{FOLDER}/{self.run}"

    def record(self) -> RunRecord:
        """The record of the run."""
        return RunRecord(**check_record(self.storage.read_json(f"{self.folder}/{RECORD}")))

    @cached_property
    def parts(self) -> dict[int, list[str]]:
        """Part of the graph -> names of its files."""
        found: dict[int, list[str]] = {}
        for name in self.storage.sizes(self.folder):
            if name.endswith(".parquet"):
                found.setdefault(part_of_file(name), []).append(name)
        return found

    def read_rows(self, table: str) -> Iterator[pa.Table]:
        """The rows of Embedding or HAS_EMBEDDING, file by file."""
        for names in self.parts.values():
            for name in names:
                rows = self.storage.read_table(name, ["id", "text", "vector"])
                found = embedding_tables(self.run, rows, rows["vector"])[table]
                yield found.cast(TABLE[table].arrow)
