"""Signals to stop: remembered the first time, obeyed at once the second time."""

from __future__ import annotations

import os
import signal
from threading import Thread

import pytest

from citescape.training.interrupts import Interrupt, heed_signals


def send(number: signal.Signals = signal.SIGINT) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_remembered(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with heed_signals() as interrupt:
        assert not interrupt.came
        send(number)
        assert interrupt.came
    assert signal.getsignal(number) == before


def test_the_second_ctrl_c_stops_at_once() -> None:
    with heed_signals() as interrupt:
        send()
        assert interrupt.came
        with pytest.raises(KeyboardInterrupt):
            send()
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler


def test_among_several_processes_a_signal_may_come_twice() -> None:
    with heed_signals(once=False) as interrupt:
        send()
        send()
        send(signal.SIGTERM)
    assert interrupt.came


def test_what_is_ignored_stays_so() -> None:
    """As `nohup` and shells have it for what they start in the background."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with heed_signals() as interrupt:
        send()
        assert not interrupt.came
    signal.signal(signal.SIGINT, before)


def test_other_threads_leave_signals_alone() -> None:
    found: list[Interrupt] = []

    def work() -> None:
        with heed_signals() as interrupt:
            found.append(interrupt)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert not found[0].came
