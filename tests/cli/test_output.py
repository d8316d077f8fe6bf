"""Progress as a person meets it."""

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
    """It was told before anyone was impatient, and nothing is told after it."""
    with ticking() as ticker:
        ticker.report("reading")
        assert wait_for("reading", capsys).endswith(" s  reading\n")
    assert capsys.readouterr().err == ""


def test_a_long_second_step_is_shown_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was told right after a line was shown, when the next one was not due yet."""
    monkeypatch.setattr(output, "_INTERVAL", 0.3)
    with ticking() as ticker:
        ticker.report("reading")
        wait_for("reading", capsys)
        ticker.report("encoding")
        assert wait_for("encoding", capsys).count("\n") == 1


def wait_for(text: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What is shown until a text is; fails after half a minute."""
    until, shown = time.monotonic() + 30, ""
    while text not in shown:
        assert time.monotonic() < until, shown
        time.sleep(0.02)
        shown += capsys.readouterr().err
    return shown
