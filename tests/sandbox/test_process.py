"""A process of the sandbox that ends too early."""

from __future__ import annotations

from pathlib import Path

import pytest

from citescape.core.errors import StoreError
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
