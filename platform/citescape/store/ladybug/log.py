"""Repair of the log of the embedded store after a kill.

A transaction is committed once all its records are in the log; the last one marks the commit. A
process that is killed while it writes them leaves a log that ends within a record; the engine then
refuses to open the file, or crashes (https://github.com/LadybugDB/ladybug/issues/714). Records
after the last commit were never acknowledged, and are removed before the file is opened.

The layout is that of ladybug 0.22 (its `src/storage/wal`): a header of 25 bytes, then records:
eight bytes with the length, the content, whose first byte is the type, and eight bytes of checksum.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import struct
from pathlib import Path

from citescape.core.errors import StoreLockedError

_LOGS = (".wal", ".wal.checkpoint")
"""Logs of new transactions, and of those that are being moved into the file."""
_HEADER = 25
_LENGTH = struct.Struct("<Q")
_CHECKSUM = 8
_BEGIN, _COMMIT, _CHECKPOINT = 1, 2, 254


def is_torn(path: Path) -> bool:
    """Whether a log of the store at a path ends within a transaction."""
    return path.exists() and any(_find_tear(log) is not None for log in _logs(path))


def cut_torn_logs(path: Path) -> None:
    """Truncates logs after their last commit.

    Raises:
        StoreLockedError: a running process is writing there.
        OSError: this account may not write to the file.
    """
    with path.open("r+b") as file:  # the engine holds such a lock while it may write
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise StoreLockedError(
                f"{path} is in use by another process; wait for it to finish or stop it, then try "
                "again"
            ) from error
        for log in _logs(path):
            tear = _find_tear(log)
            if tear is not None:
                os.truncate(log, tear)


def _logs(path: Path) -> list[Path]:
    return [log for suffix in _LOGS if (log := Path(f"{path}{suffix}")).exists()]


def _find_tear(log: Path) -> int | None:
    """End of the last commit, if the log continues after it; None for another layout."""
    size = log.stat().st_size
    if not size:
        return None
    end, at = 0, _HEADER
    with log.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as records:
        while at + _LENGTH.size < size:
            kind = records[at + _LENGTH.size]
            if at == _HEADER and kind != _BEGIN:
                return None
            at += _LENGTH.size + _LENGTH.unpack_from(records, at)[0] + _CHECKSUM
            if at <= size and kind in (_COMMIT, _CHECKPOINT):
                end = at
    return None if end == size else end
