from __future__ import annotations

import pytest

from citescape.core.errors import ConfigError
from citescape.recommend.drafts.marks import MARK, MARKER, Marks, is_open


@pytest.mark.parametrize(
    "marker",
    [
        *("[?]", "[ ?? ]", "[CITE]", "[cite]", "[citation needed]", "TARGETCIT", r"\[?\]"),
        *("[?, ?]", "[?,?]", "[?; ?]", "[? ?]", "[?,\n?]", "[CITE, cite]", "[@?; @?]"),
        *("[12, ?]", "[3-5, ?, 12]"),
    ],
)
def test_markers_are_recognised(marker: str) -> None:
    found = MARKER.search(f"Rust spreads {marker}.")
    assert found
    assert found.group() == marker


@pytest.mark.parametrize(
    "text", ["[12]", "[what?]", "[excited]", "?", "TARGETCITY", "[]", "(?)", "[cite12]", "[a, ?]"]
)
def test_other_text_is_no_marker(text: str) -> None:
    assert not MARKER.search(text)


@pytest.mark.parametrize("keys", ["", " ", "?", "??", "TODO", "smith2010, ?", "a,,b", "FIXME"])
def test_incomplete_keys_are_open(keys: str) -> None:
    assert is_open(keys)


@pytest.mark.parametrize("keys", ["smith2010", "a, b", "why?"])
def test_complete_keys_are_not_open(keys: str) -> None:
    assert not is_open(keys)


def test_each_marker_has_its_own_character() -> None:
    marks = Marks()
    texts = [marks.add("", line, "[?]") for line in (1, 1, 7)]
    found = [MARK.findall(text) for text in texts]
    assert [marks.find(*characters).line for characters in found] == [1, 1, 7]


def test_too_many_markers_are_refused() -> None:
    marks = Marks()
    for line in range(0xFFFE):
        marks.add("", line, "[?]")
    with pytest.raises(ConfigError, match="more than 65,534 markers"):
        marks.add("", 0, "[?]")
