"""Signals to stop: remembered the first time, obeyed at once the second time."""

from __future__ import annotations

import os
import signal
import time
from threading import Thread

import pytest

from citescape.training.interrupts import STOPPING, Interrupt, heed_signals


def send(number: signal.Signals = signal.SIGINT) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_remembered(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with heed_signals() as interrupt:
        assert not interrupt.came
        send(number)
        assert interrupt.came
        interrupt.number = 0  # heeded
    assert signal.getsignal(number) == before


def test_the_second_ctrl_c_stops_at_once() -> None:
    with heed_signals() as interrupt:
        send()
        assert interrupt.came
        with pytest.raises(KeyboardInterrupt):
            send()
        interrupt.number = 0
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler


def test_among_several_processes_a_signal_may_come_twice() -> None:
    """A launcher passes on what the terminal has sent already; one much later is another wish."""
    with heed_signals(apart=60) as interrupt:
        send()
        send()
        send(signal.SIGTERM)
        assert interrupt.number == signal.SIGINT
        interrupt.at -= 60
        with pytest.raises(KeyboardInterrupt):
            send()
        interrupt.number = 0


def test_a_signal_that_nobody_heeded_comes_again() -> None:
    with pytest.raises(KeyboardInterrupt), heed_signals():
        send()


def test_a_signal_is_told_while_work_goes_on() -> None:
    told: list[str] = []
    with heed_signals(told.append) as interrupt:
        send()
        until = time.monotonic() + 30
        while not told and time.monotonic() < until:
            time.sleep(0.01)
        interrupt.number = 0
    assert told == [STOPPING]


@pytest.mark.parametrize("handler", [signal.SIG_IGN, None])
def test_what_is_ignored_or_handled_elsewhere_stays_so(
    handler: signal.Handlers | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `nohup` has it, and programs that embed Python."""
    monkeypatch.setattr(signal, "getsignal", lambda _: handler)
    set_: list[int] = []
    monkeypatch.setattr(signal, "signal", lambda number, _: set_.append(number))
    with heed_signals() as interrupt:
        assert not interrupt.came
    assert set_ == []


def test_other_threads_leave_signals_alone() -> None:
    found: list[Interrupt] = []

    def work() -> None:
        with heed_signals() as interrupt:
            found.append(interrupt)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert not found[0].came
