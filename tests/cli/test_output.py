"""Progress as a person meets it."""

from __future__ import annotations

import time

import pytest

from citescape.cli import output
from citescape.cli.output import ticking


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "PATIENCE", 0.2)


def test_short_work_shows_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with ticking() as ticker:
        ticker.tell("reading")
    assert capsys.readouterr().err == ""


def test_a_long_first_step_is_shown_while_it_lasts(capsys: pytest.CaptureFixture[str]) -> None:
    """It was told before anyone was impatient, and nothing is told after it."""
    with ticking() as ticker:
        ticker.tell("reading")
        until = time.monotonic() + 30
        shown = ""
        while not shown and time.monotonic() < until:
            time.sleep(0.02)
            shown = capsys.readouterr().err
        assert shown.endswith(" s  reading\n")
    assert capsys.readouterr().err == ""
