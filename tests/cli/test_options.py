"""Commands in messages can be pasted into a shell."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from citescape.cli.options import command_line


def test_suggested_commands_find_platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Path(sys.executable).with_name("platform")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(own.parent))
    assert command_line("cypher", "a b.lbug") == "platform cypher --store 'a b.lbug'"
    assert command_line("score", "citescape.lbug") == "platform score"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command_line("score", "citescape.lbug") == f"{own} score"
    other = tmp_path / "platform"
    other.touch(mode=0o755)
    assert command_line("score", "citescape.lbug") == f"{own} score", "another program of that name"
    monkeypatch.chdir(own.parent.parent)
    assert command_line("score", "citescape.lbug") == "bin/platform score"
