"""Signals: deferred the first time, immediate the second time."""

from __future__ import annotations

import os
import signal
import time
from threading import Thread

import pytest

from citescape.training.interrupts import STOPPING, Interrupt, catch_signals


def send(number: signal.Signals = signal.SIGINT) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_is_deferred(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with catch_signals() as interrupt:
        assert not interrupt.received
        send(number)
        assert interrupt.received
        interrupt.number = 0  # handled
    assert signal.getsignal(number) == before


def test_the_second_ctrl_c_stops_immediately() -> None:
    with catch_signals() as interrupt:
        send()
        assert interrupt.received
        with pytest.raises(KeyboardInterrupt):
            send()
        interrupt.number = 0
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler


def test_a_duplicate_signal_of_a_launcher_is_ignored() -> None:
    """A launcher forwards the signal of the terminal; a later signal counts as the second."""
    with catch_signals(ignored_seconds=60) as interrupt:
        send()
        send()
        send(signal.SIGTERM)
        assert interrupt.number == signal.SIGINT
        interrupt.at -= 60
        with pytest.raises(KeyboardInterrupt):
            send()
        interrupt.number = 0


def test_an_unhandled_signal_is_raised_again() -> None:
    with pytest.raises(KeyboardInterrupt), catch_signals():
        send()


def test_a_signal_is_reported_during_the_work() -> None:
    messages: list[str] = []
    with catch_signals(messages.append) as interrupt:
        send()
        until = time.monotonic() + 30
        while not messages and time.monotonic() < until:
            time.sleep(0.01)
        interrupt.number = 0
    assert messages == [STOPPING]


@pytest.mark.parametrize("handler", [signal.SIG_IGN, None])
def test_ignored_signals_and_other_handlers_are_kept(
    handler: signal.Handlers | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`nohup` ignores signals, and programs that embed Python have their own handlers."""
    monkeypatch.setattr(signal, "getsignal", lambda _: handler)
    set_: list[int] = []
    monkeypatch.setattr(signal, "signal", lambda number, _: set_.append(number))
    with catch_signals() as interrupt:
        assert not interrupt.received
    assert set_ == []


def test_other_threads_do_not_change_signals() -> None:
    result: list[Interrupt] = []

    def work() -> None:
        with catch_signals() as interrupt:
            result.append(interrupt)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert not result[0].received
