"""Work in threads: each item once, bounded in number, and without delay at the end."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import pytest

from citescape.text.abstracts.llm import run_in_parallel

HANGS = """
import time
from citescape.text.abstracts.llm import run_in_parallel
print("begun", flush=True)
list(run_in_parallel(lambda _: time.sleep(60), range(4), threads=2))
"""


@pytest.mark.parametrize("threads", [1, 3, 50])
def test_each_result_is_returned_once_with_its_number(threads: int) -> None:
    inside, most = threading.Semaphore(threads), []

    def work(k: int) -> int:
        most.append(inside.acquire(blocking=False))
        time.sleep(0.002 * (k % 3))
        inside.release()
        return k * k

    result = list(run_in_parallel(work, range(20), threads=threads))
    assert sorted(result) == [(k, k * k) for k in range(20)]
    assert all(most)
    assert list(run_in_parallel(work, [], threads=threads)) == []


def test_the_first_error_stops_the_work() -> None:
    seen = []

    def work(k: int) -> None:
        seen.append(k)
        if k == 2:
            raise ValueError("two")
        time.sleep(0.01)

    with pytest.raises(ValueError, match="two"):
        list(run_in_parallel(work, range(1000), threads=2))
    time.sleep(0.05)
    assert len(seen) < 10


def test_results_before_an_error_are_kept() -> None:
    def work(k: int) -> int:
        time.sleep(0.02 * k)
        if k == 2:
            raise ValueError("two")
        return k

    results = run_in_parallel(work, range(4), threads=4)
    assert [next(results), next(results)] == [(0, 0), (1, 1)]
    with pytest.raises(ValueError, match="two"):
        next(results)


def test_an_interrupt_does_not_wait_for_answers() -> None:
    with subprocess.Popen([sys.executable, "-c", HANGS], stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        program.stdout.readline()
        time.sleep(0.3)
        begun = time.monotonic()
        program.send_signal(signal.SIGINT)
        program.wait(20)
    assert time.monotonic() - begun < 20
    assert program.returncode != 0
