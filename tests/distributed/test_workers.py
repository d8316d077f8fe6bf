"""Worker processes: independent of the caller's script and its Ctrl-C, and never left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Condition

import psutil
import pytest

from citescape.core.errors import CitescapeError
from citescape.distributed import workers
from citescape.distributed.workers import WorkerPool
from tests.ingest.papers import small_corpus, write_files

SCRIPT = """
import citescape
print("started", flush=True)
corpus = citescape.open("{store}")
print(corpus.ingest("{folder}", workers=2).fulltext_papers)
"""


def script(tmp_path: Path, text: str) -> list[str]:
    """A command that runs a script without a `__main__` guard, on a folder of papers."""
    write_files(tmp_path / "in", small_corpus(20))
    path = tmp_path / "script.py"
    path.write_text(text.format(store=tmp_path / "s.lbug", folder=tmp_path / "in"))
    return [sys.executable, str(path)]


def test_a_script_without_a_main_guard_runs_once(tmp_path: Path) -> None:
    done = subprocess.run(script(tmp_path, SCRIPT), capture_output=True, text=True, timeout=120)

    assert done.stdout == "started\n20\n"


POOL = """
import os, time
from citescape.distributed.workers import WorkerPool

with WorkerPool(time.sleep, 2) as pool:
    for _ in range(8):
        pool.submit(0.2, size=1)
    print("started", flush=True)
    {then}
    while pool:
        pool.take()
"""


@pytest.mark.parametrize("wait", [0.0, 0.1, 0.3])
def test_ctrl_c_while_workers_start_interrupts_only_the_caller(tmp_path: Path, wait: float) -> None:
    path = tmp_path / "script.py"
    path.write_text(POOL.format(then=""))
    process = subprocess.Popen(
        [sys.executable, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(wait)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes at once
    _, errors = process.communicate(timeout=60)

    assert errors.count("Traceback") == errors.count("KeyboardInterrupt") == 1


def test_ctrl_c_while_a_lock_is_released_raises_keyboard_interrupt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wait(condition: Condition, timeout: float | None = None) -> None:
        condition.release()
        signal.raise_signal(signal.SIGINT)
        condition.acquire()

    with WorkerPool(time.sleep, 2) as pool:
        pool.submit(0.2, size=1)
        with monkeypatch.context() as patched:
            patched.setattr(Condition, "wait", wait)
            with pytest.raises(KeyboardInterrupt):
                pool.take()


def test_workers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text(POOL.format(then="pool.take(); print('working', flush=True)"))
    process = subprocess.Popen([sys.executable, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert [process.stdout.readline() for _ in range(2)] == ["started\n", "working\n"]
    children = psutil.Process(process.pid).children()
    process.kill()
    process.wait()
    process.stdout.close()

    _, alive = psutil.wait_procs(children, timeout=30)
    assert len(children) >= 2
    assert not alive


def test_results_are_ordered_and_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_MOST_WAITING_BYTES", 10)
    with WorkerPool(abs, 2) as pool:
        pool.submit(-1, size=6)
        assert not pool.is_full
        pool.submit(-2, size=6)
        assert pool.is_full
        assert pool.take() == 1
        assert not pool.is_full
        for number in range(3, 33):
            pool.submit(-number, size=0)
        assert not pool.is_full
        pool.submit(-33, size=0)
        assert pool.is_full
        assert [pool.take() for _ in range(len(pool))] == list(range(2, 34))


def test_first_tasks_run_in_this_process() -> None:
    process = "__import__('os').getpid()"
    with WorkerPool(eval, 2, here=10) as pool:
        for size in (6, 4, 1):
            pool.submit(process, size=size)
        first, second, third = (pool.take() for _ in range(3))
    assert first == second == os.getpid() != third


def test_a_worker_that_dies_is_reported() -> None:
    with WorkerPool(os._exit, 2) as pool:
        pool.submit(1, size=1)
        with pytest.raises(CitescapeError, match="a worker process died"):
            pool.take()
