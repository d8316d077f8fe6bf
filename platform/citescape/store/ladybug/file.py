"""Opening the file of a ladybug store, and what the engine's messages mean."""

from __future__ import annotations

import fcntl
import re
import time
from pathlib import Path
from typing import IO

import ladybug

from citescape.core.config import quote_command
from citescape.core.errors import StoreError, StoreLockedError
from citescape.store.ladybug.log import cut_torn_logs, is_torn
from citescape.store.state import stamp_files

_EXPECTED = re.compile(r":? expect(?:ing \{[^}]*\}|ed rule oC_\w+)")
"""What the parser would rather have read: some forty words, or a rule of its grammar."""
_DAMAGED = re.compile(r"corrupted|Cannot read from file|Load table failed")
"""What the engine says of a file that does not hold what it should."""
_RECOVERY = "checkpoint recovery is pending"
"""What readers are told while a writer moves its changes into the file, or was killed at it."""
_PAUSES = (0.1, 0.2, 0.3, 0.4)
"""Seconds that readers wait for a lock, which another reader has for as long as it completes."""
_WRITERS: dict[tuple[int, int], list[IO[bytes]]] = {}
"""Device and inode of each file that this process has open to be written; handles that lock it.

The engine would let a process open a file twice: two writers would each lose what the other writes.
A handle that is closed takes all locks of the process on its file away (fcntl, POSIX), the writer's
too, so they are taken again.
"""
_BUFFER_BYTES = 1 << 30
"""Memory ladybug may use for pages; its default is four fifths of the machine."""


class NoStoreError(StoreError):
    """A file that does not exist, or holds no tables at all."""


def no_store(location: str) -> NoStoreError:
    """What to say of such a file."""
    return NoStoreError(
        f"no store at {location}; load papers into it with "
        f"`platform ingest PATH --store {location}`, or name another with --store"
    )


def open_database(path: Path, read_only: bool) -> ladybug.Database:
    """Opens the file to be written, or to be read.

    Readers complete what a killed writer left, as writers, and wait for each other meanwhile.

    Raises:
        StoreLockedError: another process writes to it, or this one by another handle.
        StoreError: it is no database, or cannot be read.
    """
    if path.exists() and (path.stat().st_dev, path.stat().st_ino) in _WRITERS:
        raise StoreLockedError(
            f"{path} is open in this process already, and was written to; close that one first, "
            "or use it (in a notebook: `corpus.close()`)"
        )
    for pause in _PAUSES if read_only else ():
        try:
            return _open_to_read(path)
        except StoreLockedError:
            time.sleep(pause)
    return _open_to_read(path) if read_only else _connect(path, read_only=False)


def file_revision(location: str) -> str:
    """Of a file, and of the log that every commit is added to first."""
    return stamp_files(Path(location), Path(f"{location}.wal"))


def hold_writer(file: tuple[int, int]) -> None:
    """Keeps this process from opening a file, by device and inode, that it may write to."""
    _WRITERS[file] = []


def release_writer(file: tuple[int, int]) -> None:
    """Lets a file go whose writer is closed."""
    for handle in _WRITERS.pop(file, []):
        handle.close()


def release_reader(path: Path, file: tuple[int, int]) -> None:
    """Locks a file again, if it is still written to here, after a handle that read it was closed.

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
            f"{path} is written to by another process too; expected this one alone: stop both, and "
            "run `platform doctor`"
        ) from error


def _open_to_read(path: Path) -> ladybug.Database:
    """To be read; a write that was cut off is finished first."""
    try:
        return _connect(path, read_only=True)
    except _UnfinishedError:
        pass
    try:
        _connect(path, read_only=False).close()
        return _connect(path, read_only=True)
    except StoreError as error:
        unfinished = isinstance(error, _UnfinishedError)
        if isinstance(error, StoreLockedError) and not unfinished:
            raise
        status = quote_command("status", str(path))
        if unfinished or _is_full(str(error.__cause__)):
            raise StoreError(
                f"{path}: a write to it was cut off and cannot be completed, the disk is full or a "
                "limit reached; nothing is lost: make room and run the command that was cut off "
                f"again ({status} then says what is left to do)"
            ) from error
        raise StoreError(
            f"{path}: a write to it was cut off, and this account cannot complete it; expected one "
            f"that may write to it: let it run {status} once ({error})"
        ) from error


class _UnfinishedError(StoreLockedError):
    """A write was cut off, or is under way, and readers are kept out."""


def _connect(path: Path, read_only: bool) -> ladybug.Database:
    try:
        if is_torn(path):
            if read_only:
                raise _UnfinishedError(f"{path}: a write was cut off")
            cut_torn_logs(path)
        return ladybug.Database(path, read_only=read_only, buffer_pool_size=_BUFFER_BYTES)
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
            raise _UnfinishedError(f"{path}: a write is under way; try again later") from error
        raise StoreError(explain(text, str(path))) from error


def explain(text: str, location: str) -> str:
    """One line that says what to do about an engine's message."""
    line = text.strip().partition("\n")[0] or "ladybug failed and did not say why"
    line = _EXPECTED.sub("", line)
    if _is_full(text):
        return (
            f"{location} cannot be written, the disk is full or a limit reached; make room and run "
            f"the same command again: it goes on from what is there"
        )
    if "not a valid" in line or "cannot be a directory" in line:
        return f"{location} is not a ladybug database; name another path with --store"
    if "No such file or directory" in line:
        if Path(location).exists():
            return (
                f"{location}: a file that ladybug keeps beside it is gone, another process deleted "
                "or moved it; run the same command again: it goes on from what is there"
            )
        return f"cannot create {location}: its folder does not exist; create it first"
    if _DAMAGED.search(line):
        return (
            f"{location}: {line}; the file is damaged, or another process wrote to it: put back a "
            "copy of it, or load the papers into a new store"
        )
    return f"{location}: {line}"


def _is_full(text: str) -> bool:
    """A write that was too short is told without a reason, or only when its page is read again."""
    if "No space left" in text or "Cannot write to file" in text:
        return True
    return "checkpoint failed" in text and "Cannot read from file" in text
