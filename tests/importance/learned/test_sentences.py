"""Wording of citing sentences: works cited together, names in the text, own voice, places."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.importance.learned.sentences import Wording, count_works, read_wording


def read(text: str | None, marker: str | None = "") -> Wording:
    return read_wording(
        pa.chunked_array([[text]], pa.string()), pa.chunked_array([[marker]], pa.string())
    )


@pytest.mark.parametrize(
    ("text", "works"),
    [
        ("as shown before [3]", 1),
        ("as shown before [3, 5-7]", 4),
        ("as shown before [3,5–7; 9]", 5),
        ("shown (1, 2) and again [4]", 3),
        ("shown [3-500]", 2 + 30),
        ("shown [7-3]", 2),
        ("shown by Lee (2010) and Wu (1999a)", 2),
        ("shown (Lee et al., 1987; Wu, 2001; 2003b)", 3),
        ("in 2010 it was shown [1-4]", 4),
        ("no marker at all", 1),
        ("", 1),
        ("5 (kg) and [a, b] and (12345)", 1),
        ("code 12010 and 1799", 1),
    ],
)
def test_number_of_works(text: str, works: int) -> None:
    assert count_works(text) == works
    assert read(text).cited_works.tolist() == [works]


@pytest.mark.parametrize(
    ("text", "voice"),
    [
        ("We follow Wu.", 1),
        ("This was OUR aim.", 1),
        ("In the present study, rice was used.", 1),
        ("this paper extends it", 1),
        ("It helps us.", 1),
        ("Weeds grow in the US.", 0),
        ("Weeds and hours.", 0),
        ("The study by Wu.", 0),
    ],
)
def test_own_voice(text: str, voice: int) -> None:
    assert read(text).own_voice.tolist() == [voice]


@pytest.mark.parametrize(
    ("text", "marker", "named"),
    [
        ("As Smith et al. (2010) show", "2010", 1),
        ("As Smith et al. (2010) show", "Smith et al. (2010)", 1),
        ("by Lee and Wu [5], it", "5", 1),
        ("by Lee & Wu [5], it", "[5]", 1),
        ("by Lee and Wu (2001) it", "Lee and Wu (2001)", 1),
        ("by Østergård [5]", "[5]", 1),
        ("as was shown [5]", "[5]", 0),
        ("as was shown (Smith et al., 2010)", "(Smith et al., 2010)", 0),
        ("as Smith showed", "[9]", 0),
        ("as Smith showed", "", 0),
    ],
)
def test_names_of_authors(text: str, marker: str, named: int) -> None:
    assert read(text, marker).names_authors.tolist() == [named]


def test_place_is_the_share_of_the_sentence_before_the_marker() -> None:
    assert read("0123456789", "5").place.tolist() == [5 / 10]
    assert read("[1] it", "[1]").place.tolist() == [0]
    for marker in ("", None, "absent"):
        assert math.isnan(read("0123456789", marker).place[0])


def test_words_and_missing_sentences() -> None:
    assert read("  Rice  is a grain. ").words.tolist() == [4]
    for text in (None, "", "   "):
        wording = read(text, "[1]")
        assert (wording.words[0], wording.own_voice[0], wording.cited_works[0]) == (0, 0, 1)
        assert np.isnan(wording.place[0])


def test_no_sentence_at_all() -> None:
    nothing = pa.chunked_array([], pa.string())
    wording = read_wording(nothing, nothing)
    for name in ("words", "own_voice", "cited_works", "place", "names_authors"):
        assert getattr(wording, name).shape == (0,)


@given(st.text(max_size=60).filter(lambda text: text.isprintable()), st.text(max_size=10))
def test_any_text_has_values_in_range(text: str, marker: str) -> None:
    wording = read(text, marker if marker.isprintable() else "")
    assert wording.cited_works[0] >= 1
    assert wording.words[0] >= 0
    assert np.isnan(wording.place[0]) or 0 <= wording.place[0] <= 1
    assert {wording.own_voice[0], wording.names_authors[0]} <= {0, 1}


@pytest.mark.parametrize("unit", ["(", "(1,", "[1-", "Aa ", "A et al. ", "2010 ", "1;"])
def test_long_hostile_sentences_take_linear_time(unit: str) -> None:
    """A pattern with backtracking would not end."""
    text = unit * (200_000 // len(unit))
    assert count_works(text) >= 1
    assert read(text, unit).words[0] >= 0
