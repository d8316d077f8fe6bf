"""Suggestions for names that do not exist."""

from __future__ import annotations

import pytest

from citescape.core.near import find_near

COMMANDS = ["report", "export", "train graph", "text sections", "explore/self_citation_rate"]


@pytest.mark.parametrize(
    ("written", "suggested"),
    [
        ("reprot", ["report"]),
        ("Report", ["report"]),
        ("sections", ["text sections"]),
        ("graph", ["train graph"]),
        ("train-graph", ["train graph"]),
        ("selfcitation", ["explore/self_citation_rate"]),
        ("zzz", []),
        ("", []),
    ],
)
def test_similar_names_are_suggested(written: str, suggested: list[str]) -> None:
    assert find_near(written, COMMANDS) == suggested


def test_suggestions_are_ordered_and_limited() -> None:
    known = [f"topic {k}" for k in range(9)]
    assert find_near("topic 4", known, most=3)[0] == "topic 4"
    assert len(find_near("topic", known, most=3)) == 3
