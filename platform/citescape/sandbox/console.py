"""Runs Cypher that nobody has checked: the door for the browser and for programs.

Three layers: an allow-list of tokens (`store.read_only`), then on ladybug a process that can only
read the database (`process`), on Neo4j a session that the server's own plan says only reads. The
list gives a clear answer; the second layer holds if the list has a gap.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Semaphore, Thread
from typing import Protocol

from citescape.core.config import is_address
from citescape.core.errors import (
    BusyError,
    CitescapeError,
    ConfigError,
    QueryCancelledError,
    StoreError,
)
from citescape.sandbox.answers import Answer, read_answer
from citescape.sandbox.process import Child
from citescape.store.neo4j.adapter import Neo4jStore
from citescape.store.read_only import PROCEDURES, find_refusal

MOST_ROWS = 100_000
"""Highest limit of rows."""
MOST_BYTES = 32 << 20
"""Bytes of the rows of an answer, as JSON."""
MOST_SECONDS = 300.0
"""Highest time limit."""
LONGEST_TEXT = 100_000
"""Characters of a statement."""
ROWS, SECONDS = 1_000, 30.0
"""Limits by default."""
_AT_ONCE = 3
_PATIENCE = 5.0
"""Seconds that a query waits while as many as allowed run."""
_CLOSED = "the console is closed; open another one"
_PAUSE = 0.1
"""Seconds between two calls to a server to end a query."""
_CLAUSES = (
    "MATCH, OPTIONAL MATCH, WHERE, WITH, UNWIND, RETURN, ORDER BY, SKIP, LIMIT, UNION, "
    "subqueries of these"
)


class Cancellation:
    """Ends a query from another thread, also before it has begun."""

    def __init__(self) -> None:
        self._lock, self._stop, self.is_set = Lock(), _do_nothing, False

    def cancel(self) -> None:
        """Ends the query; its `run` raises `QueryCancelledError`."""
        with self._lock:
            self.is_set = True
            self._stop()

    def attach(self, stop: Callable[[], None]) -> None:
        """Sets what ends the query, and calls it if the query is cancelled already."""
        with self._lock:
            self._stop = stop
            if self.is_set:
                stop()

    def detach(self) -> None:
        """The query has ended."""
        with self._lock:
            self._stop = _do_nothing


class _Runner(Protocol):
    """Runs checked queries on one engine."""

    dialect: str

    def check(self) -> None:
        """Raises ConfigError if no query can run."""

    def run(
        self, request: Mapping[str, object], seconds: float, cancellation: Cancellation
    ) -> Answer:
        """The answer to a request: arguments of `read_answer`."""
        ...

    def close(self) -> None:
        """Ends all processes and connections."""


class Console:
    """Cypher on one graph, for anyone: it only reads, within limits of rows, bytes and time.

        with Console("citescape.lbug") as console:
            answer = console.run("MATCH (p:Paper) RETURN p.title, p.year", rows=10)

    A ladybug file must be one that nobody writes to, such as a snapshot.
    """

    def __init__(self, location: str | Callable[[], str]) -> None:
        """Starts nothing; the first `check` or `run` does.

        Args:
            location: path or address of the store, or a function that returns the path of the
                latest snapshot.
        """
        self._locate = location if callable(location) else lambda: location
        address = is_address(self.location)
        self._runner: _Runner = (
            _OnServer(self.location) if address else _InProcess(lambda: Path(self.location))
        )
        self._slots = Semaphore(_AT_ONCE)

    @property
    def location(self) -> str:
        """Path or address of the store that is read."""
        return self._locate()

    @property
    def dialect(self) -> str:
        """`ladybug` or `neo4j`."""
        return self._runner.dialect

    def __enter__(self) -> Console:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self) -> str:
        """Why the console is off; empty if it is on. Makes the next query start at once."""
        try:
            self._runner.check()
        except CitescapeError as error:
            return str(error)
        return ""

    def run(
        self,
        text: str,
        params: Mapping[str, object] | None = None,
        *,
        rows: int = ROWS,
        seconds: float = SECONDS,
        cancellation: Cancellation | None = None,
    ) -> Answer:
        """The first rows of a statement.

        Args:
            text: one statement, with or without the header of a library query.
            params: values of its `$parameters`.
            rows: maximum number of rows, up to `MOST_ROWS`.
            seconds: time limit, up to `MOST_SECONDS`.
            cancellation: ends the query from another thread.

        Raises:
            BusyError: as many queries as allowed run already.
            ConfigError: there is no sandbox, the statement does more than read, or a limit or
                parameter is wrong.
            QueryCancelledError: `cancellation` ended it.
            QueryTimeoutError: it took longer than `seconds`.
            StoreError: the engine refuses it, or it needs too much memory, or the console is
                closed.
        """
        self._check_request(text, rows, seconds)
        cancellation = cancellation or Cancellation()
        request = {"text": text, "params": dict(params or {}), "rows": rows, "size": MOST_BYTES}
        if not self._slots.acquire(timeout=_PATIENCE):
            raise BusyError(
                f"{_AT_ONCE} queries run already; wait until one ends, or cancel one of them"
            )
        try:
            return self._runner.run(request, seconds, cancellation)
        except StoreError as error:
            if cancellation.is_set:
                raise QueryCancelledError("the query was cancelled") from error
            raise
        finally:
            cancellation.detach()
            self._slots.release()

    def close(self) -> None:
        """Ends all processes and connections."""
        self._runner.close()

    def _check_request(self, text: str, rows: int, seconds: float) -> None:
        if not text.strip():
            raise ConfigError("the statement is empty; expected Cypher, such as RETURN 1")
        if len(text) > LONGEST_TEXT:
            raise ConfigError(
                f"the statement has {len(text):,} characters; expected at most {LONGEST_TEXT:,}: "
                "pass long lists as parameters"
            )
        if not 1 <= rows <= MOST_ROWS:
            raise ConfigError(f"the limit is {rows:,} rows; expected 1 to {MOST_ROWS:,}")
        if not 0 < seconds <= MOST_SECONDS:
            raise ConfigError(f"the limit is {seconds:g} s; expected up to {MOST_SECONDS:g}")
        if refusal := find_refusal(text, self.dialect):
            procedures = ", ".join(sorted(PROCEDURES[self.dialect]))
            place = f" ({refusal.place})" if refusal.place else ""
            raise ConfigError(
                f"found {refusal.part}{place}; expected one statement that only reads the graph: "
                f"{_CLAUSES}, and CALL of one of {procedures}. A name that looks like another "
                "clause goes in backticks"
            )


class _InProcess:
    """Queries on a ladybug file: each in a process of its own, one of which is started ahead."""

    dialect = "ladybug"

    def __init__(self, locate: Callable[[], Path]) -> None:
        self._locate, self._lock = locate, Lock()
        self._spare: Child | None = None
        self._running: set[Child] = set()
        self._is_closed = False
        self._folder = tempfile.TemporaryDirectory(prefix="citescape-outside-")
        self._outside = Path(self._folder.name, "outside")
        self._outside.write_text("A process in the sandbox cannot read this.\n", "utf-8")

    def check(self) -> None:
        """Starts a process ahead, and waits for its test of the sandbox."""
        with self._lock:
            spare = self._spare = self._take()
        try:
            spare.wait_until_ready()
        except CitescapeError:
            spare.close()  # the next check starts another one
            with self._lock:
                self._spare = None if self._spare is spare else self._spare
            raise

    def run(
        self, request: Mapping[str, object], seconds: float, cancellation: Cancellation
    ) -> Answer:
        """The answer of a process that then ends, while the next one starts."""
        with self._lock:
            child = self._take()
            self._running.add(child)
        try:
            cancellation.attach(child.kill)
            child.wait_until_ready()
            with self._lock:
                if self._spare is None and not self._is_closed:
                    self._spare = Child(self._locate(), self._outside)
            return Answer(**child.ask(request, seconds=seconds, size=MOST_BYTES))
        finally:
            try:
                child.close()
            finally:
                with self._lock:
                    self._running.discard(child)

    def close(self) -> None:
        """Ends all processes."""
        with self._lock:
            self._is_closed = True
            spare, self._spare = self._spare, None
            for child in self._running:
                child.kill("closed")  # `run` closes it
        if spare:
            spare.close()
        self._folder.cleanup()

    def _take(self) -> Child:
        """The process that was started ahead, if it lives and reads the latest, or a new one."""
        if self._is_closed:
            raise StoreError(_CLOSED)
        spare, self._spare, path = self._spare, None, self._locate()
        if spare and not spare.has_ended and spare.location == path:
            return spare
        if spare:
            spare.close()
        return Child(path, self._outside)


class _OnServer:
    """Queries on Neo4j: each on a connection of its own, so that ending one ends no other."""

    dialect = "neo4j"

    def __init__(self, location: str) -> None:
        self._location, self._lock = location, Lock()
        self._idle: list[Neo4jStore] = []
        self._is_closed = False

    def check(self) -> None:
        """Connects to the server."""
        self._give_back(self._take())

    def run(
        self, request: Mapping[str, object], seconds: float, cancellation: Cancellation
    ) -> Answer:
        """The answer; the server ends the transaction at the time limit even if nobody asks."""
        store = self._take()
        store.time_limit, ended = seconds + 1, Event()
        # The server ignores calls before the query has begun, so they are repeated.
        cancellation.attach(Thread(target=_interrupt, args=(store, ended), daemon=True).start)
        try:
            return read_answer(store, seconds=seconds, **request)  # type: ignore[arg-type]
        finally:
            ended.set()
            cancellation.detach()
            if cancellation.is_set:
                store.close()  # a late call would end the next query
            else:
                self._give_back(store)

    def close(self) -> None:
        """Closes all idle connections; others close when their query ends."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for store in idle:
            store.close()

    def _take(self) -> Neo4jStore:
        with self._lock:
            if self._is_closed:
                raise StoreError(_CLOSED)
            if self._idle:
                return self._idle.pop()
        return Neo4jStore.open(self._location, read_only=True, create=False)

    def _give_back(self, store: Neo4jStore) -> None:
        with self._lock:
            if not self._is_closed:
                self._idle.append(store)
                return
        store.close()


def _interrupt(store: Neo4jStore, ended: Event) -> None:
    while not ended.is_set():
        with suppress(StoreError):
            store.interrupt()
        ended.wait(_PAUSE)


def _do_nothing() -> None:
    pass
