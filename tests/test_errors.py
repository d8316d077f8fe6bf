"""Lists in messages."""

from __future__ import annotations

import pytest

from citescape.errors import list_some


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, ""),
        (1, "0"),
        (3, "0, 1, 2"),
        (4, "0, 1, 2 and 1 more"),
        (5000, "0, 1, 2 and 4,997 more"),
    ],
)
def test_lists_are_cut_and_counted(count: int, text: str) -> None:
    assert list_some(range(count), 3) == text
