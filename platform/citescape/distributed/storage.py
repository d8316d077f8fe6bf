"""Files in a folder, on this machine, a shared file system, or in an object store.

Every file is whole or absent: it is written aside and renamed, or uploaded in a transaction.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO
from uuid import uuid4

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
from fsspec.implementations.local import LocalFileSystem

from citescape.core.errors import ConfigError, StoreError
from citescape.core.files import sync
from citescape.core.locks import LOCK, alone

_ASIDE = ".part"
"""Ending of files that are being written."""
_BLOCK = 1 << 22


@dataclass(frozen=True)
class Storage:
    """A folder of files, named by their path below it."""

    address: str
    """Path, or address that fsspec understands: `s3://bucket/folder`."""
    _absolute: str = field(init=False, repr=False, compare=False)
    """The address for tasks, which run in other folders."""

    def __post_init__(self) -> None:
        is_path = "://" not in self.address
        absolute = os.path.abspath(self.address) if is_path else self.address
        object.__setattr__(self, "_absolute", absolute)

    @cached_property
    def _place(self) -> tuple[Any, str]:
        """The file system and the path of the folder in it."""
        try:
            files, root = fsspec.core.url_to_fs(self._absolute)
        except (ImportError, ValueError) as error:
            raise ConfigError(
                f"{self.address}: {error}; expected a folder, or an address such as s3://bucket/x "
                "whose fsspec package is installed"
            ) from error
        return files, root.rstrip("/")

    @property
    def is_local(self) -> bool:
        """Whether the files are on this machine, or on a file system that it has mounted."""
        return isinstance(self._place[0], LocalFileSystem)

    @property
    def location(self) -> str:
        """The absolute path of a folder that this machine sees, else the address."""
        return self._place[1] if self.is_local else self.address

    def __getstate__(self) -> dict[str, Any]:
        # A file system is opened anew in each process.
        return {"address": self.address, "_absolute": self._absolute}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def _path(self, name: str) -> str:
        return f"{self._place[1]}/{name}"

    def sizes(self, folder: str = "") -> dict[str, int]:
        """Bytes of the files below a folder, by name, in the order of names."""
        files, root = self._place
        with self._errors(folder):
            files.invalidate_cache()
            try:
                found = files.find(self._path(folder) if folder else root, detail=True)
            except FileNotFoundError:
                return {}
        names = {path.removeprefix(f"{root}/"): facts["size"] for path, facts in found.items()}
        return {
            name: names[name]
            for name in sorted(names)
            if name != LOCK and not name.endswith(_ASIDE)
        }

    def size(self, name: str) -> int:
        """Bytes of a file.

        Raises:
            StoreError: it is missing.
        """
        with self._errors(name):
            return int(self._place[0].info(self._path(name))["size"])

    def read(self, name: str, start: int | None = None, end: int | None = None) -> bytes:
        """The bytes of a file, or some of them.

        Raises:
            StoreError: it is missing or cannot be read.
        """
        files, _ = self._place
        with self._errors(name):
            data: bytes = files.cat_file(self._path(name), start=start, end=end)
        return data

    @contextmanager
    def writing(self, name: str) -> Iterator[BinaryIO]:
        """A file to write; it exists when the context ends without an error."""
        files, _ = self._place
        with self._errors(name):
            if not self.is_local:
                with TemporaryFile() as sink:
                    yield sink
                    sink.seek(0)
                    try:
                        with files.transaction, files.open(self._path(name), "wb") as target:
                            while block := sink.read(_BLOCK):
                                target.write(block)
                    except FileNotFoundError as error:
                        raise StoreError(
                            f"{self.address} cannot be written: {error}; check that its bucket or "
                            "folder exists"
                        ) from error
                return
            path = Path(self._path(name))
            path.parent.mkdir(parents=True, exist_ok=True)
            aside = path.with_name(f".{path.name}.{uuid4().hex}{_ASIDE}")
            try:
                with aside.open("wb", buffering=1 << 20) as sink:
                    yield sink
                    sink.flush()
                    os.fsync(sink.fileno())
                aside.replace(path)
                sync(path.parent)
            finally:
                with suppress(OSError):
                    aside.unlink()

    def write(self, name: str, data: bytes) -> None:
        """Writes a file."""
        with self.writing(name) as sink:
            sink.write(data)

    def write_json(self, name: str, value: Any) -> None:
        """Writes a value as JSON."""
        self.write(name, json.dumps(value, indent=1, sort_keys=True).encode())

    def read_json(self, name: str) -> Any:
        """The value of a JSON file.

        Raises:
            StoreError: it is missing, or no JSON.
        """
        try:
            return json.loads(self.read(name))
        except ValueError as error:
            raise StoreError(f"{self.address}/{name} is damaged: {error}") from error

    def write_table(self, name: str, rows: pa.Table) -> int:
        """Writes a Parquet file; returns its size in bytes."""
        with self.writing(name) as sink:
            pq.write_table(rows, sink, compression="zstd")
            return sink.tell()

    def read_table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Rows of a Parquet file.

        Raises:
            StoreError: it is missing or damaged.
        """
        try:
            if self.is_local:  # only the parts of the file that hold the columns
                with self._errors(name):
                    return pq.read_table(
                        self._path(name), columns=columns and [*columns], partitioning=None
                    )
            return pq.read_table(pa.BufferReader(self.read(name)), columns=columns and [*columns])
        except (pa.ArrowException, OSError) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise StoreError(f"{self.address}/{name} is damaged: {reason}") from error

    def remove(self, folder: str) -> None:
        """Removes a file, or a folder with all files below it."""
        files, _ = self._place
        with self._errors(folder), suppress(FileNotFoundError):
            files.rm(self._path(folder), recursive=True)

    def remove_others(self, folder: str, kept: Collection[str]) -> None:
        """Removes what is in a folder, but for files and folders of some names."""
        depth = folder.count("/") + 1
        for name in {path.split("/")[depth] for path in self.sizes(folder)} - {*kept}:
            self.remove(f"{folder}/{name}")

    def alone(self) -> AbstractContextManager[None]:
        """Locks a folder of this machine against other commands; an object store has no locks.

        Raises:
            ConfigError: another command works in the folder.
        """
        return alone(Path(self.location)) if self.is_local else nullcontext()

    def remove_unfinished(self) -> None:
        """Removes what killed processes of this machine were writing; none may be at work."""
        if self.is_local:
            for path in Path(self._place[1]).rglob(f".*{_ASIDE}"):
                path.unlink(missing_ok=True)

    @contextmanager
    def _errors(self, name: str) -> Iterator[None]:
        place = f"{self.address}/{name}".rstrip("/")
        try:
            yield
        except FileNotFoundError as error:
            raise StoreError(f"{place} is missing; another process may have removed it") from error
        except OSError as error:
            reason = error.strerror or (str(error).splitlines() or [type(error).__name__])[0]
            raise StoreError(f"{place}: {reason}") from error
