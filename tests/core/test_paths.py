"""Paths as text: characters that cannot be printed or stored are escaped, others stay."""

from __future__ import annotations

import os

import pytest

from citescape.core.paths import path_text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"caf\xe9.xml", r"caf\xe9.xml"),
        ("café 论文\u3000.xml".encode(), "café 论文\u3000.xml"),
        (b"a\nb\x1f\x7f\x00.xml", r"a\nb\x1f\x7f\x00.xml"),
        ("a\x85\u2028.xml".encode(), r"a\x85\u2028.xml"),
        (rb"a\xe9.xml", r"a\xe9.xml"),
    ],
)
def test_only_unprintable_characters_are_escaped(raw: bytes, text: str) -> None:
    assert path_text(os.fsdecode(raw)) == text
    assert path_text(text) == text


def test_lone_surrogates_are_escaped() -> None:
    assert path_text("a\ud800.xml") == r"a\ud800.xml"
