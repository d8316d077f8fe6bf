"""Opens the file of a ladybug store, and explains messages of the engine."""

from __future__ import annotations

import fcntl
import re
import shutil
import time
from pathlib import Path
from typing import IO

import ladybug

from citescape.core.config import quote_command
from citescape.core.errors import StoreError, StoreLockedError
from citescape.store.ladybug.log import cut_torn_logs, is_torn
from citescape.store.state import stamp_files

_EXPECTED = re.compile(r":? expect(?:ing \{[^}]*\}|ed rule oC_\w+)")
"""List of what the parser expected: some forty words, or a rule of its grammar."""
_DAMAGED = re.compile(r"corrupted|Cannot read from file|Load table failed")
"""Messages of the engine on a damaged file."""
_RECOVERY = "checkpoint recovery is pending"
"""Message to readers while a writer moves its changes into the file, or was killed doing so."""
_PAUSES = (0.1, 0.2, 0.3, 0.4)
"""Seconds that readers wait for the lock of a reader that completes an interrupted write."""
_WRITERS: dict[tuple[int, int], list[IO[bytes]]] = {}
"""Device and inode of each file that this process has open for writing -> handles that lock it.

The engine lets a process open a file twice, and each of two writers would lose the changes of the
other. Closing a handle releases all locks of the process on its file (fcntl, POSIX), those of the
writer too, so they are acquired again.
"""
_SPACE, _GROWTH = 1 << 20, 3
"""Free bytes that a transaction needs: some, and as many times those of its rows."""
BUFFER_BYTES = 1 << 30
"""Memory ladybug may use for pages; its default is four fifths of the machine."""


class NoStoreError(StoreError):
    """A file that does not exist, or holds no tables at all."""


def no_store(location: str) -> NoStoreError:
    """The error for such a file."""
    return NoStoreError(
        f"no store at {location}; load papers into it with "
        f"`platform ingest PATH --store {location}`, or name another with --store"
    )


def open_database(
    path: Path, read_only: bool, buffer_bytes: int = BUFFER_BYTES
) -> ladybug.Database:
    """Opens the file for writing or for reading.

    Readers complete the changes of a killed writer, for which they open the file for writing, and
    wait for each other meanwhile. One that reads the log while it is written finds it damaged, and
    tries again.

    Raises:
        StoreLockedError: another process writes to it, or this one by another handle.
        StoreError: it is not a database, or cannot be read.
    """
    if path.exists() and (path.stat().st_dev, path.stat().st_ino) in _WRITERS:
        raise StoreLockedError(
            f"{path} is open in this process already, and was written to; close that store first, "
            "or use it (to close it in a notebook: `corpus.close()`)"
        )
    if not read_only:
        return _connect(path, False, buffer_bytes)
    for pause in _PAUSES:
        try:
            return _open_to_read(path, buffer_bytes)
        except (StoreLockedError, _DamagedError):
            time.sleep(pause)
    return _open_to_read(path, buffer_bytes)


def check_space(path: Path, size: int) -> None:
    """Refuses to write where little space is left: the engine aborts the process if its log is cut.

    Args:
        path: the file.
        size: bytes of the rows to write.

    Raises:
        StoreError: less is free than the file and its log may need.
    """
    if not _has_space(path, size):
        raise StoreError(_full(str(path)))


def _has_space(path: Path, size: int = 0) -> bool:
    return shutil.disk_usage(path.parent).free >= _SPACE + _GROWTH * size


def _full(location: str) -> str:
    return (
        f"{location} cannot be written, the disk is full or a limit reached; free space, run "
        f"the same command again: it continues from there"
    )


def file_revision(location: str) -> str:
    """Stamp of a file and of its log, to which every commit is written first."""
    return stamp_files(Path(location), Path(f"{location}.wal"))


def hold_writer(file: tuple[int, int]) -> None:
    """Prevents a second opening of a file, by device and inode, that this process may write to."""
    _WRITERS[file] = []


def release_writer(file: tuple[int, int]) -> None:
    """Allows a file to be opened again, after its writer is closed."""
    for handle in _WRITERS.pop(file, []):
        handle.close()


def release_reader(path: Path, file: tuple[int, int]) -> None:
    """Locks a file again that this process writes to, after a reading handle was closed.

    Raises:
        StoreLockedError: another process was faster.
    """
    if file not in _WRITERS:
        return
    handle = path.open("r+b")
    _WRITERS[file].append(handle)
    try:
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise StoreLockedError(
            f"another process writes to {path} too; expected only this one: stop both, and "
            "run `platform doctor`"
        ) from error


def _open_to_read(path: Path, buffer_bytes: int) -> ladybug.Database:
    """Opens the file for reading; completes an interrupted write first."""
    try:
        return _connect(path, True, buffer_bytes)
    except _UnfinishedError:
        pass
    try:
        _connect(path, False, buffer_bytes).close()
        return _connect(path, True, buffer_bytes)
    except StoreError as error:
        unfinished = isinstance(error, _UnfinishedError)
        if isinstance(error, StoreLockedError) and not unfinished:
            raise
        status = quote_command("status", str(path))
        if unfinished or _is_full(str(error.__cause__)) or not _has_space(path):
            raise StoreError(
                f"{path}: an interrupted write cannot be completed, the disk is full or a "
                "limit reached; nothing is lost: free some space and run the interrupted command "
                f"again ({status} then shows what is left to do)"
            ) from error
        raise StoreError(
            f"{path}: a write was interrupted, and this account cannot complete it; expected one "
            f"that may write to it: let it run {status} once ({error})"
        ) from error


class _UnfinishedError(StoreLockedError):
    """A write was interrupted or is running, and readers must wait."""


class _DamagedError(StoreError):
    """The file or its log is damaged, or being written."""


def _connect(path: Path, read_only: bool, buffer_bytes: int) -> ladybug.Database:
    try:
        if is_torn(path):
            if read_only:
                raise _UnfinishedError(f"{path}: a write was interrupted")
            cut_torn_logs(path)
        return ladybug.Database(path, read_only=read_only, buffer_pool_size=buffer_bytes)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error
    except RuntimeError as error:
        text = str(error)
        held = re.search(r"held by PID (\d+)", text)
        if held:
            raise StoreLockedError(
                f"{path} is in use by process {held.group(1)}; "
                "wait for it to finish or stop it, then try again"
            ) from error
        if read_only and _RECOVERY in text:
            raise _UnfinishedError(f"{path}: a write is running; try again later") from error
        kind = _DamagedError if _DAMAGED.search(text) else StoreError
        raise kind(explain(text, str(path))) from error


def explain(text: str, location: str) -> str:
    """A message of the engine as one line with advice."""
    line = text.strip().partition("\n")[0] or "ladybug failed without a message"
    line = _EXPECTED.sub("", line)
    if _is_full(text) or ("Cannot read from file" in text and not _has_space(Path(location))):
        return _full(location)
    if "not a valid" in line or "cannot be a directory" in line:
        return f"{location} is not a ladybug database; name another path with --store"
    if "No such file or directory" in line:
        if Path(location).exists():
            return (
                f"{location}: a file of ladybug beside it is gone, another process deleted "
                "or moved it; run the same command again: it continues from there"
            )
        return f"cannot create {location}: its folder does not exist; create it first"
    if _DAMAGED.search(line):
        return (
            f"{location}: {line}; if another process writes to it, try again later; if not, the "
            "file is damaged: restore a copy of it, or load the papers into a new store"
        )
    return f"{location}: {line}"


def _is_full(text: str) -> bool:
    """Whether the disk is full; a short write may be reported late, when its page is read again."""
    if "No space left" in text or "Cannot write to file" in text:
        return True
    return "checkpoint failed" in text and "Cannot read from file" in text
