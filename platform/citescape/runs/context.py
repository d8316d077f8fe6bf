"""Where a step works: store, run folder, progress. Read from the environment once.

`CITESCAPE_STORE`, `CITESCAPE_RUNS` and `CITESCAPE_ENCODER` mean the same on the command line and in
Python; `CITESCAPE_DEVICE` too, which `encoders.device` reads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from citescape.core.config import DEFAULT_STORE, is_address, make_store_folder
from citescape.core.errors import ConfigError, StoreError
from citescape.core.extras import named_extras
from citescape.core.progress import Progress, silent, ticking
from citescape.core.redaction import redact

if TYPE_CHECKING:
    from citescape.runs.kept import KeptRun
    from citescape.runs.step import Step
    from citescape.store.graph_store import GraphStore

R = TypeVar("R")
K = TypeVar("K", bound="KeptRun")
H = TypeVar("H")


class Held(Generic[H]):
    """What was read from a store, read again when the store has changed. Threads may share it."""

    def __init__(self, read: Callable[[GraphStore], H]) -> None:
        self._read = read
        self._lock = Lock()
        self._revision = ""
        self._value: list[H] = []
        """The value; empty before it is read."""

    def open(self, store: GraphStore) -> H:
        """The value for the present state of a store; other threads wait while one reads it."""
        with self._lock:
            revision = store.revision()
            if not self._value or not revision or revision != self._revision:
                self._value.clear()  # frees the memory before the new value takes its own
                self._value.append(self._read(store))
                self._revision = revision
            return self._value[0]


@dataclass
class Context:
    """One store, one run folder, and how work on them is reported."""

    location: str
    """Path or address of the store."""
    runs: Path
    """Folder of run directories."""
    create: bool = False
    """Create a store that does not exist."""
    read_only: bool = False
    """Refuse every change of the graph."""
    named: bool = False
    """The caller named the store; it is not that of the environment or the default."""
    progress: Progress = silent
    encoder: str = ""
    """Default encoder of texts: a folder or hub id; empty for MiniLM."""
    _store: GraphStore | None = field(default=None, repr=False)
    _held: dict[Callable[..., Any], Any] = field(default_factory=dict, repr=False)

    @classmethod
    def open(
        cls,
        location: str | Path = "",
        *,
        runs: str | Path = "",
        create: bool = False,
        progress: Progress = silent,
    ) -> Context:
        """Creates a context; empty settings are those of the environment, then the defaults.

        Args:
            location: path or address of the store.
            runs: folder of run directories; by default `runs` beside the store.
            create: create a store that does not exist.
            progress: receives one line per stage of work.

        Raises:
            ConfigError: the location is a malformed address or holds a password, or `runs` is an
                address.
        """
        from citescape.runs.directory import default_runs
        from citescape.store.neo4j.address import check_location

        named = bool(str(location))
        location = str(location) or os.environ.get("CITESCAPE_STORE") or DEFAULT_STORE
        location, problem = check_location(location)
        if problem:
            raise problem
        folder = str(runs) or os.environ.get("CITESCAPE_RUNS") or default_runs(location)
        if is_address(str(folder)):
            raise ConfigError(f"runs is the address {redact(str(folder))}; expected a folder")
        return cls(
            location,
            Path(folder),
            create,
            named=named,
            progress=progress,
            encoder=os.environ.get("CITESCAPE_ENCODER", ""),
        )

    @property
    def store(self) -> GraphStore:
        """The store, opened on first use; a file is locked when something is written.

        Raises:
            StoreError: it does not exist, is locked, unreachable, or of another schema version.
        """
        if self._store is None:
            self._store = self._open()
        return self._store

    @property
    def exists(self) -> bool:
        """Whether there is a store at the path; True for a server, which is tried when opened."""
        return is_address(self.location) or Path(self.location).exists()

    def _open(self) -> GraphStore:
        from citescape.store.graph_store import open_on_demand, open_store

        if self.read_only:
            return open_store(self.location, read_only=True)
        if not self.exists:
            if not self.create:
                from citescape.store.ladybug.file import no_store

                raise no_store(self.location)
            make_store_folder(self.location)
        return open_on_demand(self.location)

    def use(self, store: GraphStore) -> None:
        """Uses a store that is open already."""
        self._store = store

    @contextmanager
    def replaced(self, store: GraphStore) -> Iterator[None]:
        """In the block, another store takes the place of this one."""
        before, self._store = self._store, store
        try:
            yield
        finally:
            self._store = before

    def check_writable(self) -> None:
        """Checks, before work whose results go into the graph, that the store can be written.

        Raises:
            StoreError: the store was opened to read only.
        """
        if self.read_only:
            raise StoreError(f"{self.location} was opened with read_only; open it without to write")

    def refuse_store(self) -> None:
        """Refuses a store that was named beside shards, which take its place."""
        if self.named:
            raise ConfigError("shards take the place of a store; leave out one of the two")

    def lock(self) -> None:
        """Locks a store that is a file against other writers from now on.

        Raises:
            StoreError: it is missing, or another process holds it.
        """
        from citescape.store.on_demand import OnDemandStore

        self.check_writable()
        if isinstance(self.store, OnDemandStore):
            self.store.lock()

    def unlock(self) -> None:
        """Lets other processes write to a store that is a file, for hours of work without it."""
        from citescape.store.on_demand import OnDemandStore

        if isinstance(self._store, OnDemandStore):
            self._store.unlock()

    def release(self) -> None:
        """Closes the store; it is opened again on next use."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def hold(self, make: Callable[[], H]) -> H:
        """An object that stays in memory between steps, such as a cache of loaded models.

        Args:
            make: class of the object, called on first use.
        """
        held: H = self._held.setdefault(make, make())
        return held

    def hold_current(self, read: Callable[[GraphStore], H]) -> H:
        """What a function reads from the store, kept in memory until the store changes.

        Args:
            read: function, or class of the object.
        """
        held: Held[H] = self._held.setdefault(read, Held(read))
        return held.open(self.store)

    def share(self, held: dict[Callable[..., Any], Any]) -> None:
        """Holds such objects together with other contexts of the same store.

        Args:
            held: objects by the class or function that makes them.
        """
        self._held = held

    def find(self, kind: type[K], named: str = "") -> K:
        """The run of a kind by its id or folder; the latest one if none is named.

        Args:
            kind: class of the runs.
            named: id or folder; empty for the latest.

        Raises:
            ConfigError: no such run; the message lists the existing ones, or the command for one.
        """
        from citescape.runs.kept import find_kept

        return find_kept(kind, self.runs, named, location=self.location)


def run(step: Step[R], context: Context) -> R:
    """Runs a step, and shows its progress on standard error unless the context has its own.

    Args:
        step: step to run.
        context: store, runs and progress.

    Raises:
        ConfigError: an optional library is missing; the message names the extra that brings it.
    """
    create, context.create = context.create, context.create or step.creates_store
    with named_extras(), ExitStack() as stack:
        progress = context.progress
        if progress is silent:
            context.progress = stack.enter_context(ticking()).report
        try:
            if step.locks_store:
                context.lock()
            elif getattr(step, "write", False):  # such a step locks the store itself
                context.check_writable()
            return step.compute(context)
        finally:
            context.progress, context.create = progress, create
