"""A process of the sandbox that ends too early."""

from __future__ import annotations

from pathlib import Path

import pytest

from citescape.core.errors import StoreError
from citescape.sandbox import answers, confine
from citescape.sandbox import child as module
from citescape.sandbox.process import Child


def start(tmp_path: Path, program: str) -> Child:
    script = tmp_path / "child.py"
    script.write_text(program)
    return Child(tmp_path / "graph.lbug", tmp_path / "outside", script=script)


def test_a_process_that_took_no_request_is_closed_without_an_error(tmp_path: Path) -> None:
    child = start(tmp_path, "import sys\nsys.stdin.readline()\n")
    child._process.wait()
    with pytest.raises(StoreError):
        child.ask({"text": "RETURN 1"}, seconds=10, size=99)
    child.close()
    assert all(pipe.closed for pipe in (child._process.stdin, child._process.stdout))


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        ("os.abort()", "the engine ended with SIGABRT on this statement; change it"),
        ("os._exit(3)", "the engine ended with exit status 3 on this statement; change it"),
        (
            "os.kill(os.getpid(), 9)",
            r"more memory than the 1,024 MB .* \(its process ended: SIGKILL",
        ),
        (
            "raise MemoryError",
            r"more memory than the 1,024 MB .* \(its process ended: exit status 1",
        ),
        ("os.write(2, b'what(): std::bad_alloc'); os.abort()", "more memory than .*SIGABRT"),
        ("[os.write(2, b'x' * 9999) for _ in range(99)]", "the engine ended with exit status 1"),
    ],
)
def test_an_end_is_lack_of_memory_only_with_a_sign_of_it(
    tmp_path: Path, ends: str, message: str
) -> None:
    """The last process writes more errors than the pipe holds, which must not stop it for good."""
    child = start(tmp_path, f"import os, sys\nfor _ in '12': sys.stdin.readline()\n{ends}\n")
    with pytest.raises(StoreError, match=message):
        child.ask({"text": "RETURN 1"}, seconds=60, size=99)
    child.close()


def test_an_unexpected_error_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("year 99999 is out of range")

    monkeypatch.setattr(answers, "read_answer", fail)
    monkeypatch.setattr(confine, "limit_time", lambda _: None)
    answer = module._run(None, {"seconds": 1})  # type: ignore[arg-type]
    assert answer == {"error": "ValueError: year 99999 is out of range"}
