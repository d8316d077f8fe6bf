"""Blocks of work in threads."""

from __future__ import annotations

from threading import Event, Timer

import pytest

from citescape.core.blocks import run_blocks


@pytest.mark.parametrize("threads", [0, 1, 7])
def test_results_come_in_the_order_of_the_blocks(threads: int) -> None:
    assert list(run_blocks(lambda k: k * k, range(50), threads=threads)) == [
        k * k for k in range(50)
    ]


def test_blocks_that_have_not_started_are_cancelled() -> None:
    begun: list[int] = []
    gate = Event()

    def work(block: int) -> int:
        begun.append(block)
        return 0 if block == 0 else gate.wait()

    blocks = run_blocks(work, range(20), threads=1)
    assert next(blocks) == 0
    Timer(0.2, gate.set).start()
    blocks.close()  # type: ignore[attr-defined]
    assert set(begun) <= {0, 1}


def test_exceptions_of_blocks_are_raised() -> None:
    def work(block: int) -> float:
        return 1 / block

    with pytest.raises(ZeroDivisionError):
        list(run_blocks(work, [1, 0, 2]))
