"""Files that a store holds: which are unchanged, and which paper each holds.

A file is known by its path: a folder or archive that is moved is read again, and its papers are
then found unchanged. Files are looked up as they are needed, so memory does not grow with the
store.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import TABLE


class LoadedFile(NamedTuple):
    """A file, or a row or record of one, and the paper in it."""

    path: str
    sha256: str
    paper: str
    source: str
    loader: str


class LoadedFiles:
    """The `File` nodes of a store; files that were loaded since the last `write` included."""

    def __init__(self, store: GraphStore, loaders: Collection[str]) -> None:
        """Of a store.

        Args:
            store: the graph.
            loaders: versions of loaders whose files need not be read again.
        """
        self._store = store
        self._loaders = loaders
        self.was_empty = not store.read(query("ingest/any_file")).num_rows
        """Whether the store held no file at first: then every file is read once."""
        self._new: dict[str, LoadedFile] = {}
        self._seen: set[str] = set()

    def find(self, paths: Sequence[str]) -> dict[str, LoadedFile]:
        """The files at these paths that were loaded, whatever they hold now."""
        if self.was_empty:
            found = []
        else:
            rows = self._store.read(query("ingest/files"), paths=list(paths))
            columns = (rows[name].to_pylist() for name in LoadedFile._fields)
            found = [LoadedFile(*row) for row in zip(*columns, strict=True)]
        return {file.path: file for file in found} | {
            path: self._new[path] for path in paths if path in self._new
        }

    def unchanged(self, documents: Sequence[tuple[str, str]]) -> dict[str, LoadedFile]:
        """The documents (path, hash) that were loaded with this content by the present loader."""
        known = self.find([path for path, _ in documents])
        return {
            path: known[path]
            for path, sha256 in documents
            if path in known
            and known[path].sha256 == sha256
            and known[path].loader in self._loaders
        }

    def add(self, file: LoadedFile) -> None:
        """Remembers a file, unless the run has read it before; `changes` writes it."""
        if file.path not in self._seen:
            self._seen.add(file.path)
            self._new[file.path] = file

    def changes(self) -> list[Change]:
        """The changes that write the remembered files."""
        new = pa.Table.from_pylist(
            [{"id": file.path, **file._asdict()} for file in self._new.values()],
            TABLE["File"].arrow,
        )
        stored = [] if self.was_empty else new["id"].to_pylist()
        known = self._store.read(query("ingest/files"), paths=stored)["path"] if stored else []
        exists = pc.is_in(new["id"], value_set=pa.array(known, pa.string()))
        return [
            Change("update", "File", new.filter(exists)),
            Change("insert", "File", new.filter(pc.invert(exists))),
        ]

    def written(self) -> None:
        """Forgets the remembered files, once they are in the graph."""
        self._new = {}
