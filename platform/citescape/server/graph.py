"""The graph that the explorer shows: a snapshot of a file, or a server."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from queue import LifoQueue
from threading import Lock, RLock
from typing import Any

from citescape.core.config import is_address
from citescape.core.errors import CitescapeError, ConfigError, StoreError
from citescape.core.outputs import unwatched
from citescape.core.redaction import redact
from citescape.corpus import Corpus
from citescape.importance.steps import Score
from citescape.runs.context import Context, run
from citescape.runs.directory import default_runs
from citescape.runs.save import to_json
from citescape.server.calls import call_step
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.ladybug.file import file_revision

READERS = 2
"""Steps that run at the same time."""
CACHE_BYTES = 64 << 20
"""Answers that are kept in memory."""
LONGEST_KEY = 1 << 16
"""Characters of the settings of an answer that is kept; the content of files is longer."""
EXCLUSIVE = ("recommend",)
"""Steps that run alone: they hold models and profiles in memory."""
LIVE = ("status",)
"""Steps that read the folder of runs, which changes; their answers are not kept."""


@dataclass
class Snapshot:
    """The corpora that read one state of a graph, and its answers."""

    location: str
    """Path of the copy, or address of the server."""
    taken: datetime | None
    """Time (UTC) of the copy; None for a server."""
    revision: str
    """Revision of the file that was copied."""
    idle: LifoQueue[Corpus] = field(default_factory=LifoQueue)
    answers: OrderedDict[str, str] = field(default_factory=OrderedDict)
    used: int = 0
    """Characters of the answers and of their settings."""
    users: int = 0
    """Steps that run on it, or wait for one of its corpora."""
    retired: bool = False
    """A later snapshot has taken its place; the last user closes it."""


class ServedGraph:
    """Runs steps on a graph that others may write to meanwhile.

    A store that is a file is copied, because readers beside a writer fail in ladybug: pages show
    the copy until `refresh` takes a new one. A Neo4j server is read as it is.
    """

    def __init__(self, location: str, runs: Path | None = None) -> None:
        """Opens a graph.

        Args:
            location: path or address of the store.
            runs: folder of run directories; by default that of the store.

        Raises:
            StoreError: no such store, another process writes to it now, or no connection.
        """
        self.location = location
        self.runs = runs or Path(default_runs(location))
        self._folder = Path(tempfile.mkdtemp(prefix="citescape-"))
        self._lock, self._exclusive = Lock(), RLock()
        self._number = 0
        self._progress = ""
        try:
            self._snapshot = self._open()
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    @property
    def reading(self) -> str:
        """Path of the copy that is read now, or address of the server."""
        return self._snapshot.location

    def call(self, name: str, settings: Mapping[str, Any]) -> str:
        """The figures of a step as JSON.

        Args:
            name: method of the corpus.
            settings: values by name.

        Raises:
            CitescapeError: see `call_step`.
        """
        snapshot = self._snapshot
        key = json.dumps([name, settings], sort_keys=True)
        is_kept = bool(snapshot.taken) and len(key) <= LONGEST_KEY and name not in LIVE
        if is_kept:
            with self._lock:
                if key in snapshot.answers:
                    snapshot.answers.move_to_end(key)
                    return snapshot.answers[key]
        answer = to_json(self.compute(name, settings))
        if is_kept:
            with self._lock:
                if self._snapshot is snapshot:  # else the answer may be of a later one
                    _keep(snapshot, key, answer)
        return answer

    def prepare(self) -> None:
        """Reads the catalogue of papers, for which the first search would wait."""
        with suppress(CitescapeError):
            self.call("find", {"limit": 1})

    def compute(self, name: str, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """The figures of a step.

        Args:
            name: method of the corpus.
            settings: values by name.

        Raises:
            CitescapeError: see `call_step`.
        """
        if name not in EXCLUSIVE:
            with self.use() as corpus:
                return call_step(corpus, name, settings).summarise().figures
        with self._exclusive, self.use() as corpus:
            corpus.context.progress = self._report
            try:
                return call_step(corpus, name, settings).summarise().figures
            finally:
                corpus.context.progress = _ignore
                self._progress = ""

    @contextmanager
    def use(self) -> Iterator[Corpus]:
        """A corpus that no other thread uses; errors name the store instead of its copy.

        Raises:
            StoreError: the graph cannot be read.
        """
        with self._lock:
            snapshot = self._snapshot
            snapshot.users += 1
        corpus = snapshot.idle.get()
        try:
            yield corpus
        except CitescapeError as error:
            error.args = (str(error).replace(snapshot.location, redact(self.location)),)
            raise
        finally:
            snapshot.idle.put(corpus)
            with self._lock:
                snapshot.users -= 1
                is_last = snapshot.retired and not snapshot.users
            if is_last:
                _close(snapshot)

    def score(self, weights: Mapping[str, float]) -> Mapping[str, Any]:
        """Scores all citations of the store with given weights, and takes a new snapshot.

        Args:
            weights: weight of each component, 0 or more; they are not normalised.

        Returns:
            The figures of the step: `run`, its id, and others.

        Raises:
            ConfigError: no such component, or no weight above 0.
            StoreError: another process writes to the store now.

        Writes to the graph: see `platform score`.
        """
        if not all(isinstance(weight, int | float) for weight in weights.values()):
            raise ConfigError(f"weights is {weights!r}; expected a number for each component")
        with self._exclusive:
            context = Context.open(self.location, runs=self.runs, progress=self._report)
            try:
                step = Score(features=tuple(weights), weights=dict(weights))
                figures = run(step, context).summarise().figures
            finally:
                context.release()
                self._progress = ""
            with suppress(StoreError):  # the scores are written; the page offers a new snapshot
                self.refresh()
            return figures

    def refresh(self) -> None:
        """Takes a new snapshot; requests that run now end on the earlier one.

        Raises:
            StoreError: another process writes to the store now; the earlier snapshot stays.
        """
        with self._exclusive:
            if self._snapshot.taken is None:
                return
            new = self._open()
            with self._lock:
                old, self._snapshot = self._snapshot, new
            self._retire(old)

    def follow(self) -> None:
        """Takes a new snapshot if the store has changed and nobody writes to it now."""
        with self._exclusive, suppress(StoreError):
            if self.describe()["changed"]:
                self.refresh()

    def describe(self) -> dict[str, Any]:
        """Name of the store, time of the snapshot (ISO 8601), and whether the file has changed."""
        snapshot = self._snapshot
        changed = False
        if snapshot.taken:
            with suppress(OSError):
                changed = file_revision(self.location) != snapshot.revision
        return {
            "store": redact(self.location),
            "taken": snapshot.taken.isoformat(timespec="seconds") if snapshot.taken else None,
            "changed": changed,
            "gone": bool(snapshot.taken) and not Path(self.location).exists(),
            "progress": self._progress,
        }

    def close(self) -> None:
        """Closes the stores and deletes the copies."""
        with self._exclusive:
            self._retire(self._snapshot)
            shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> ServedGraph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _report(self, line: str) -> None:
        self._progress = line

    def _retire(self, snapshot: Snapshot) -> None:
        """Closes a snapshot now, or once the steps that use it have ended."""
        with self._lock:
            snapshot.retired = True
            is_free = not snapshot.users
        if is_free:
            _close(snapshot)

    def _open(self) -> Snapshot:
        if is_address(self.location):
            return self._add_readers(Snapshot(self.location, None, ""))
        self._number += 1
        folder = self._folder / str(self._number)
        folder.mkdir()
        try:
            return self._add_readers(copy_store(self.location, folder))
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def _add_readers(self, snapshot: Snapshot) -> Snapshot:
        held: dict[Any, Any] = {}
        try:
            for _ in range(READERS):
                with unwatched():  # the copy is deleted before the command ends
                    store: GraphStore = open_store(snapshot.location, read_only=True)
                context = Context.open(self.location, runs=self.runs, progress=_ignore)
                context.read_only = True
                context.use(store)
                context.share(held)
                snapshot.idle.put(Corpus(context))
        except BaseException:
            _close(snapshot)
            raise
        return snapshot


def _ignore(_: str) -> None:
    """Progress of steps that are quick."""


def copy_store(location: str, folder: Path) -> Snapshot:
    """Copies a store that is a file, as it is now.

    The store is open for reading meanwhile, so that no other process can write to it.

    Args:
        location: path of the store.
        folder: folder of the copy.

    Raises:
        StoreError: no such store, or another process writes to it.
    """
    path, copy = Path(location), folder / Path(location).name
    with unwatched(), closing(open_store(location, read_only=True)):
        revision = file_revision(location)
        for source in (path, path.with_name(f"{path.name}.wal")):
            if source.exists():
                try:
                    shutil.copyfile(source, folder / source.name)
                except OSError as error:
                    raise StoreError(
                        f"{location} cannot be copied to {folder}: {error.strerror}; set TMPDIR to "
                        "a folder with more space"
                    ) from error
        return Snapshot(str(copy), datetime.now(UTC), revision)


def _keep(snapshot: Snapshot, key: str, answer: str) -> None:
    """Keeps an answer; the least recently used answers make room."""
    size = len(key) + len(answer)
    if key in snapshot.answers or size > CACHE_BYTES:
        return
    snapshot.answers[key] = answer
    snapshot.used += size
    while snapshot.used > CACHE_BYTES:
        oldest, text = snapshot.answers.popitem(last=False)
        snapshot.used -= len(oldest) + len(text)


def _close(snapshot: Snapshot) -> None:
    """Closes the stores, which nobody uses, and deletes the copy."""
    while not snapshot.idle.empty():
        snapshot.idle.get().close()
    if snapshot.taken:
        shutil.rmtree(Path(snapshot.location).parent, ignore_errors=True)
