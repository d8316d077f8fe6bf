"""Citation markers of all styles become one token; equal contexts are classified once."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.text.intents.contexts import (
    INTENTS,
    MOST_CHARACTERS,
    CitationContext,
    Probabilities,
    normalise,
    predict,
)
from citescape.text.intents.rules import CUES, SECTION_POINTS, classify_by_rules


@pytest.mark.parametrize(
    "text",
    [
        "Yields rose [12] fast.",
        "Yields rose [3, 5-7] fast.",
        "Yields rose (4) fast.",
        "Yields rose (Smith et al., 2010) fast.",
        "Yields rose (Smith 2010; Wu and Li 2011a) fast.",
        "Yields rose (e.g. van der Berg & Ng, 1999) fast.",
        "Yields rose [3] [4], [5] fast.",
    ],
)
def test_markers_in_brackets(text: str) -> None:
    assert normalise(text) == "Yields rose CITE fast."


@pytest.mark.parametrize(
    "text",
    [
        "as Smith et al. (2010) saw",
        "as Smith and Wu (2010) saw",
        "as Smith et al. [12] saw",
        "as Smith (2010) saw",
        "as O’Neill et al., 2014 saw",
        "as Smith, Wu, and Li [12] saw",
    ],
)
def test_author_names_are_part_of_their_marker(text: str) -> None:
    assert normalise(text) == "as CITE saw"


def test_other_brackets_and_numbers_are_kept() -> None:
    assert normalise("At 25 °C (dark) IR64 gave 7.5 t (Fig. 2)") == (
        "At 00 °C (dark) IR00 gave 0.0 t (Fig. 0)"
    )


@pytest.mark.parametrize(
    "text",
    ["(" * 100_000, "A" * 100_000, "Aa, " * 25_000, "(1, " * 25_000, "Aa and " * 15_000,
     "[1" + ", 1" * 33_000, "A-" * 50_000, "(a 2010 " * 12_000, "CITE " * 20_000],
)  # fmt: skip
def test_time_is_not_quadratic_in_the_length_of_texts(text: str) -> None:
    begun = time.process_time()
    assert len(normalise(text)) <= 3 * MOST_CHARACTERS
    classify_by_rules([CitationContext(text)])
    assert time.process_time() - begun < 5  # quadratic patterns take minutes


@given(st.lists(st.sampled_from(["a", "b", "", " \n"]), max_size=12))
def test_equal_contexts_are_classified_once(texts: list[str]) -> None:
    seen: list[CitationContext] = []

    def classify(contexts: Sequence[CitationContext]) -> Probabilities:
        seen.extend(contexts)
        return np.array([[ord(context.text) / 200] * 3 for context in contexts])

    result = predict(classify, [CitationContext(text) for text in texts])
    assert result.shape == (len(texts), 3)
    assert result[:, 0].tolist() == [ord(t) / 200 if t.strip() else 0.0 for t in texts]
    assert sorted(c.text for c in seen) == sorted({t for t in texts if t.strip()})


def test_rules_add_points_of_section_and_cues() -> None:
    """p = 1 / (1 + exp(-(section + cues)))."""
    (result,) = classify_by_rules([CitationContext("A kit for soils [3].", "", "M")])
    cue = {cue.name: cue.points for cue in CUES}["by means of"]
    points = np.array(SECTION_POINTS["M"]) + np.array(cue)
    assert result == pytest.approx(1 / (1 + np.exp(-points)))
    assert INTENTS[result.argmax()] == "method"


@pytest.mark.parametrize(
    ("text", "section", "intent"),
    [
        ("Rice feeds half of mankind [1].", "I", "background"),
        ("DNA was extracted following [1].", "M", "method"),
        ("Our results are consistent with those of Li (2010).", "D", "result"),
        ("This agrees with our finding [2].", "nonsense", "result"),
    ],
)
def test_rules_classify_simple_cases(text: str, section: str, intent: str) -> None:
    (result,) = classify_by_rules([CitationContext(text, "", section)])  # type: ignore[arg-type]
    assert INTENTS[result.argmax()] == intent
