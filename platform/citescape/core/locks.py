"""Resumable work: a lock for one process at a time, and files with only complete lines."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from citescape.core.errors import ConfigError

LOCK = "lock"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Locks a folder, created if missing, against other processes; the lock ends with the process.

    If it was created here and stays empty, it is removed at the end.

    Raises:
        ConfigError: another process works there.
    """
    created = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a") as lock:
        if not _take(lock) or not _is_there(lock, folder):
            raise ConfigError(
                f"another process does the same work in {folder}; wait until it is done, or stop it"
            )
        try:
            yield
        finally:
            if created:
                _remove_empty(folder, lock)


def read_whole_lines(path: Path) -> list[bytes]:
    """The complete lines of a file of interrupted work; an incomplete last line is removed.

    The file is truncated, not rewritten: a kill in between would lose the lines.
    """
    text = path.read_bytes() if path.exists() else b""
    whole = text[: text.rfind(b"\n") + 1]
    if len(whole) < len(text):
        os.truncate(path, len(whole))
    return whole.splitlines()


def _take(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_there(lock: IO[str], folder: Path) -> bool:
    """Whether the lock belongs to the existing folder, not to one that was removed."""
    try:
        return (folder / LOCK).stat().st_ino == os.fstat(lock.fileno()).st_ino
    except FileNotFoundError:
        return False


def _remove_empty(folder: Path, lock: IO[str]) -> None:
    """Removes a folder of empty files."""
    with suppress(OSError):  # another process may have come, or the work has removed it
        files = list(folder.iterdir())
        if _is_there(lock, folder) and all(p.is_file() and not p.stat().st_size for p in files):
            for path in files:
                path.unlink()
            folder.rmdir()
