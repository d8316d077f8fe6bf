"""Checks at the end of a command that its store and its files still exist and are unchanged.

Another process may delete or replace a store, a run directory or a report meanwhile; its content is
lost then, and the command must fail.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from citescape.core.errors import CitescapeError, OutputError, StoreError

_GONE = "deleted or moved it"
_ROUNDED = 2_000_000_000
"""Nanoseconds by which a file system may round a new time stamp later (FAT: 2 s)."""
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class WatchedFile:
    """A file as it was at one moment."""

    path: Path
    in_use: bool
    """The file is still being written: its content may change, but not its inode."""
    state: tuple[int, int]
    """Device and inode while it is in use, otherwise size and time of its content."""

    @classmethod
    def at(cls, path: Path, *, in_use: bool = False) -> WatchedFile:
        """The file as it is now.

        Raises:
            OutputError: it is gone already; StoreError if it is in use.
        """
        path = path.absolute()
        state = _state(path, in_use)
        if state is None:
            raise _lost(path, _GONE, in_use)
        return cls(path, in_use, state)

    def check(self) -> None:
        """Compares the file with its recorded state.

        Raises:
            OutputError: it is gone, or another file is in its place, or its content differs;
                StoreError if it is in use.
        """
        state = _state(self.path, self.in_use)
        if state is None:
            raise _lost(self.path, _GONE, self.in_use)
        if not self._is_same(state):
            raise _lost(self.path, "replaced it: it is another file than before", self.in_use)

    def _is_same(self, state: tuple[int, int]) -> bool:
        if self.in_use:
            return state == self.state
        return state[0] == self.state[0] and abs(state[1] - self.state[1]) <= _ROUNDED


def _state(path: Path, in_use: bool) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if in_use else (found.st_size, found.st_mtime_ns)


def _lost(path: Path, happened: str, is_store: bool) -> CitescapeError:
    message = (
        f"{path}: while the command ran, another process {happened}; expected it to stay: put it "
        "back, or run the same command again to write it anew"
    )
    return StoreError(message) if is_store else OutputError(message)


@dataclass
class Watched:
    """Files that a command works on or has written."""

    files: dict[Path, WatchedFile] = field(default_factory=dict)
    wrote: bool = False
    """Whether it may change a store or has written files."""

    def check(self) -> None:
        """Compares all files with their recorded states.

        Raises:
            OutputError: one is gone or was replaced; StoreError if it is a store.
        """
        for file in self.files.values():
            file.check()

    def explain(self, error: Exception) -> None:
        """Raises an error that names a lost file, since that may be why a command failed.

        Raises:
            OutputError: one is gone or was replaced; the message includes the error of the command.
                StoreError if it is a store.
        """
        try:
            self.check()
        except (OutputError, StoreError) as lost:
            if str(lost) == str(error):
                return
            raise type(lost)(f"{lost}; the command failed by: {error}") from error


_watched: ContextVar[Watched | None] = ContextVar("watched", default=None)


@contextmanager
def watched_outputs() -> Iterator[Watched]:
    """Checks at the end, and after an error, that watched files exist and are unchanged.

    Raises:
        OutputError: a file is gone or was replaced, which may be the cause of an error inside;
            StoreError if it is a store.
    """
    watched = Watched()
    token = _watched.set(watched)
    try:
        yield watched
    except Exception as error:
        watched.explain(error)
        raise
    else:
        watched.check()
    finally:
        _watched.reset(token)


def watch_output(path: Path) -> None:
    """Has a complete file, or all files of a complete folder, checked at the end.

    Does nothing outside `watched_outputs`, as in Python.
    """
    if watched := _watched.get():
        watched.wrote = True
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        watched.files |= {f.absolute(): WatchedFile.at(f) for f in files if not f.is_dir()}


@contextmanager
def unwatched() -> Iterator[None]:
    """Files opened in the block may change or be deleted before the command ends."""
    token = _watched.set(None)
    try:
        yield
    finally:
        _watched.reset(token)


def watch_store(file: WatchedFile) -> None:
    """Has a store that a command opens, perhaps several times, checked at the end.

    Raises:
        StoreError: it is another file than when the command opened it before.
    """
    if watched := _watched.get():
        watched.files.setdefault(file.path, file).check()


def note_writing() -> None:
    """Notes that the command may change a store."""
    if watched := _watched.get():
        watched.wrote = True


@contextmanager
def filling(
    aside: Path, place: Path, *, created: Callable[[], bool] = lambda: True
) -> Iterator[None]:
    """Raises clear errors if a folder vanishes, or the disk is full, while it is filled and moved.

    Args:
        aside: the folder.
        place: its final path.
        created: whether the folder has been created yet.

    Raises:
        OutputError: another process deleted or moved the folder, or the disk is full.
    """
    with naming_full_disk(place.parent):
        try:
            yield
        except OSError as error:
            if created() and not (aside.exists() or place.exists()):
                raise _lost(place, _GONE, is_store=False) from error
            raise


@contextmanager
def naming_full_disk(folder: Path) -> Iterator[None]:
    """Says what to do if the disk of a folder is full.

    Raises:
        OutputError: a file could not be written, because the disk or a quota is full.
    """
    try:
        yield
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        raise OutputError(
            f"{folder}: {os.strerror(error.errno)}; make room and run the same command again"
        ) from error


def forget_outputs(removed: Path) -> None:
    """Stops watching a file, or a folder with its content, that the command removes or moves."""
    if watched := _watched.get():
        for path in [path for path in watched.files if path.is_relative_to(removed.absolute())]:
            del watched.files[path]
