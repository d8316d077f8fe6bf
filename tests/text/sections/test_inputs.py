"""The numbers and vectors of sections."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from citescape.text.sections.inputs import NUMBERS, EncodedTexts, SectionInputs, compute_numbers
from citescape.text.sections.sequences import SectionSequences

Build = Callable[..., SectionSequences]
PAPER = (("Introduction", 1), ("Methods", 1), ("Seedlings", 2), ("Results", 1))


def lengths(texts: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.array([[len(text), 1.0] for text in texts], np.float32).reshape(len(texts), 2)


def test_features_describe_the_position_of_a_section(build: Build) -> None:
    sections = build((("Results", 1),), PAPER)
    hidden = np.array([False, True, False, False, False])
    rows = [
        dict(zip(NUMBERS, row, strict=True)) for row in compute_numbers(sections, hidden).tolist()
    ]
    assert [row["hidden"] for row in rows] == [0, 1, 0, 0, 0]
    assert [row["depth 2"] for row in rows] == [0, 0, 0, 1, 0]
    place = [row["place in the paper"] for row in rows]
    assert place == pytest.approx([0, 0, 1 / 3, 2 / 3, 1])
    top = [row["place among the top"] for row in rows]
    assert top == pytest.approx([0, 0, 1 / 2, 1 / 2, 1])
    assert [row["from the last"] for row in rows] == pytest.approx([0, 2 / 6, 1 / 6, 1 / 6, 0])
    assert rows[3]["words"] == pytest.approx(np.log1p(200) / 8)
    assert rows[3]["citations a word"] == pytest.approx(20 * 2 / (200 + 20))
    assert [row["empty"] for row in rows] == [1, 1, 0, 0, 0]


def test_no_sections_have_no_features(build: Build) -> None:
    empty = build(PAPER).select_papers([])
    assert compute_numbers(empty, np.zeros(0, bool)).shape == (0, len(NUMBERS))


def test_each_text_is_encoded_once() -> None:
    seen: list[list[str]] = []

    def encode(texts: Sequence[str]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        seen.append(list(texts))
        return lengths(texts)

    result = EncodedTexts.from_texts(["b", "", "aaa", "b", " "], encode)
    assert seen == [["aaa", "b"]]
    assert result.vectors[result.rows].tolist() == [[1, 1], [0, 0], [3, 1], [1, 1], [0, 0]]


def test_openings_are_ignored_without_body(build: Build) -> None:
    inputs = SectionInputs.from_sections(build(PAPER), lengths, body=False)
    assert not inputs.openings.vectors.any()
    inputs = SectionInputs.from_sections(build(PAPER), lengths, body=True)
    assert inputs.openings.vectors[inputs.openings.rows][1].tolist() == [18, 1]


def test_a_selection_of_papers(build: Build) -> None:
    inputs = SectionInputs.from_sections(build((("Results", 1),), PAPER), lengths, body=True)
    some = inputs.select_papers([1])
    vectors = some.titles.vectors[some.titles.rows]
    assert vectors[:, 0].tolist() == [len(title) for title, _ in PAPER]
