"""The figure of judged networks."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import rc_context

from citescape.mapping.communities.accuracy_picture import (
    PICTURES,
    draw_accuracy,
    spread,
)
from citescape.mapping.communities.summary import SeedCurve, summarise
from citescape.reports.drawing import CATEGORIES
from tests.mapping.communities.test_summary import WITHIN, straight, trace

TRACED = [
    straight("one", 0, 0.3),
    straight("other & <more>", 0, 0.1),
    straight("third $x_{1$", 0, 0.2, low=0.5),
    trace("parts", 0, (1.0, 0.0)),
    straight("keywords", 0, 0.9, bound=True),
    straight("random", 0, 0.01, bound=True),
]


@pytest.mark.parametrize(
    ("traced", "name"),
    [*((TRACED, name) for name in PICTURES), (TRACED[:1], PICTURES[0]), (TRACED[3:4], PICTURES[0])],
)
def test_equal_input_gives_equal_bytes_for_any_user_settings(
    traced: list[SeedCurve], name: str, tmp_path: Path
) -> None:
    summary = summarise(traced, within=WITHIN)
    for folder, users in (("one", {}), ("other", {"lines.linewidth": 9, "axes.grid": True})):
        (tmp_path / folder).mkdir()
        with rc_context(users):
            draw_accuracy(traced, summary, tmp_path / folder / name, criterion="mesh")
    first, second = ((tmp_path / folder / name).read_bytes() for folder in ("one", "other"))
    assert first == second
    assert first[:5] == (b"<?xml" if name.endswith("svg") else b"\x89PNG\r")


def test_every_line_is_labelled(tmp_path: Path) -> None:
    """Text is drawn as paths; matplotlib keeps it in comments."""
    from lxml import etree

    path = tmp_path / "accuracy.svg"
    summary = summarise(TRACED, within=WITHIN)
    draw_accuracy(TRACED, summary, path, criterion="keywords $x_{$")
    comments = {str(node.text).strip() for node in etree.parse(path).iter(etree.Comment)}
    assert {"one", "keywords (upper bound)", "random (lower bound)"} <= comments
    assert "relative accuracy (mean: 1)" in comments
    assert "Accuracy by keywords $x_{$" in comments
    assert "one (not compared)" not in comments
    assert any("other &" in text for text in comments)
    assert "third $x_{1$" in summary.left_out
    assert "third $x_{1$ (not compared)" in comments


def test_lines_are_interrupted_at_gaps(tmp_path: Path) -> None:
    """A new path begins after the gap, and the compared range is shaded in two parts."""
    steps = (0.01, 0.02, 0.06, 0.4, 0.8, 1.0)
    leaping = trace("leaping", 0, *((g, 0.4) for g in steps))
    path = tmp_path / "accuracy.svg"
    traced = [leaping, straight("straight", 0, 0.3)]
    draw_accuracy(traced, summarise(traced, within=WITHIN), path, criterion="mesh")
    text = path.read_text(encoding="utf-8")
    for colour, parts in zip(CATEGORIES, (2, 1), strict=False):
        shape = rf'<path d="([^"]*)"[^>]*style="fill: none; stroke: {colour}; stroke-width: 1.6'
        (line,) = re.findall(shape, text)
        assert line.count("M") == parts
    assert text.count('style="fill: #f3f3f3') == 2


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9).map(sorted), st.floats(0.01, 0.2))
def test_labels_are_separated_in_order(heights: list[float], gap: float) -> None:
    found = spread(heights, gap)
    assert len(found) == len(heights)
    assert (np.diff(found) >= gap - 1e-9).all()
    if (np.diff(heights) >= gap + 1e-9).all():
        assert found == pytest.approx(heights)


def test_overlapping_labels_stay_near_their_lines() -> None:
    assert spread([0.1, 0.1, 0.9], 0.1) == pytest.approx([0.05, 0.15, 0.9])
    assert spread([0.1, 0.2, 0.21], 0.1) == pytest.approx([0.07, 0.17, 0.27])
