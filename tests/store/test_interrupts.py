"""Ctrl-C ends a query and leaves the store as usable as before, on both engines."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from citescape.core.errors import QueryTimeoutError, StoreError
from citescape.papers.cypher import run_cypher
from citescape.store.graph_store import GraphStore
from citescape.store.interrupts import interruptible

ENDLESS = " ".join(f"UNWIND range(1, 1000) AS {x}" for x in "abcd") + " RETURN sum(a + d) AS n"


@pytest.fixture(autouse=True)
def sigint_raises() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt, also in a background job of a shell."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press_ctrl_c(*, after: float) -> None:
    threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_ctrl_c_ends_a_query_and_the_next_query_runs(store: GraphStore) -> None:
    for _ in range(2):
        press_ctrl_c(after=0.4)
        with pytest.raises(KeyboardInterrupt):
            run_cypher(store, ENDLESS, {})
        assert run_cypher(store, "RETURN 1 AS n", {})["n"].to_pylist() == [1]


def test_an_early_interrupt_is_repeated() -> None:
    """An engine ignores a request to stop if no query has started."""
    stopped = threading.Semaphore(0)
    press_ctrl_c(after=0.2)
    with pytest.raises(KeyboardInterrupt):
        interruptible(lambda: [stopped.acquire() for _ in range(3)], stopped.release)


def test_a_server_that_cannot_be_stopped_is_waited_for() -> None:
    """Its query fails later."""

    def stop() -> None:
        raise StoreError("no answer")

    def work() -> None:
        time.sleep(0.5)
        raise StoreError("no answer")

    with pytest.raises(QueryTimeoutError):
        interruptible(work, stop, limit=0.1)


def test_errors_of_a_query_are_raised(store: GraphStore) -> None:
    with pytest.raises(StoreError):
        run_cypher(store, "MATCH oops", {})
