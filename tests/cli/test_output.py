"""Progress lines on standard error."""

from __future__ import annotations

import time

import pytest

from citescape.core import progress as output
from citescape.core.progress import ticking


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "PATIENCE", 0.2)
    monkeypatch.setattr(output, "_REFRESH", 0.05)


def test_short_work_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with ticking() as ticker:
        ticker.report("reading")
    assert capsys.readouterr().err == ""


def test_a_long_first_step_is_shown_while_it_lasts(capsys: pytest.CaptureFixture[str]) -> None:
    """The step is reported before the first line is due; nothing follows it."""
    with ticking() as ticker:
        ticker.report("reading")
        assert wait_for("reading", capsys).endswith(" s  reading\n")
    assert capsys.readouterr().err == ""


def test_a_long_second_step_is_shown_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step is reported right after a line, before the next line is due."""
    monkeypatch.setattr(output, "_INTERVAL", 0.3)
    with ticking() as ticker:
        ticker.report("reading")
        wait_for("reading", capsys)
        ticker.report("encoding")
        assert wait_for("encoding", capsys).count("\n") == 1


def wait_for(text: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Output up to and including a text; fails after 30 seconds."""
    until, shown = time.monotonic() + 30, ""
    while text not in shown:
        assert time.monotonic() < until, shown
        time.sleep(0.02)
        shown += capsys.readouterr().err
    return shown
