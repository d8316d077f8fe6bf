"""Common properties of all pictures: settings and files."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("matplotlib")

from matplotlib import rc_context, rcParams
from matplotlib.figure import Figure

from citescape.reports.drawing import own_settings, save


def draw(path: Path) -> bytes:
    with own_settings(font_size=9):
        figure = Figure(figsize=(2, 1), dpi=80)
        axes = figure.subplots()
        axes.plot([0, 1], [3, 4])
        axes.set_title("title")
        save(figure, path)
    return path.read_bytes()


@pytest.mark.parametrize("ending", ["png", "svg"])
def test_matplotlib_settings_of_a_user_are_ignored_and_kept(ending: str, tmp_path: Path) -> None:
    default = draw(tmp_path / f"one.{ending}")
    changed = {"lines.linewidth": 9.0, "font.size": 20.0, "savefig.facecolor": "red"}
    with rc_context(changed):
        assert draw(tmp_path / f"two.{ending}") == default
        assert {name: rcParams[name] for name in changed} == changed
