"""Sentences as offsets: no text is lost or changed."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.core.types import FACETS
from citescape.text.abstracts.abstract import cut, sentence_ends
from citescape.text.abstracts.facets import join_by_facet

PIECES = (
    "Rice grows.",
    " We sowed 3 cv. ",
    "Yield (P < 0.05) rose! ",
    "e.g. ",
    "\u2003",
    "\n\n",
    "A.",
)
texts = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES)).map("".join))


@given(text=texts, data=st.data())
def test_joined_sentences_equal_the_text(text: str, data: st.DataObject) -> None:
    begins = data.draw(st.lists(st.integers(0, len(text)), max_size=3))
    ends = sentence_ends(text, begins)
    assert "".join(cut(text, ends)) == text
    assert ends == sorted(set(ends))
    assert all(cut(text, ends))
    assert {begin for begin in begins if 0 < begin < len(text)} <= set(ends)


@pytest.mark.parametrize(
    "text",
    ["", " ", " \t\n" * 50, "\u2009\u00a0", "word " * 20_000, "x" * 100_000, "A b. " * 20_000],
    ids=["empty", "blank", "blanks", "wide blanks", "100k words", "100k letters", "100k sentences"],
)
def test_any_text_has_sentences(text: str) -> None:
    ends = sentence_ends(text)
    assert "".join(cut(text, ends)) == text
    assert bool(ends) == bool(text)


def test_a_sentence_keeps_its_trailing_white_space() -> None:
    text = " Rice is a crop.  We sowed it in May. It grew."
    result = cut(text, sentence_ends(text))
    assert result == [" Rice is a crop.  ", "We sowed it in May. ", "It grew."]


@given(text=texts, data=st.data())
def test_each_sentence_is_in_exactly_one_part(text: str, data: st.DataObject) -> None:
    ends = sentence_ends(text)
    n = len(ends)
    facets = data.draw(st.lists(st.sampled_from(FACETS), min_size=n, max_size=n))
    parts = join_by_facet(text, ends, facets)
    sentences = cut(text, ends)
    parts_ = {
        facet: [s for s, f in zip(sentences, facets, strict=True) if f == facet] for facet in FACETS
    }
    assert parts == {facet: "".join(parts_[facet]).strip() for facet in FACETS}
    assert sum((Counter(result) for result in parts_.values()), Counter()) == Counter(sentences)
    characters = Counter("".join(parts.values()).replace(" ", ""))
    assert Counter({c: n for c, n in characters.items() if not c.isspace()}) == Counter(
        c for c in text if not c.isspace()
    )


@pytest.mark.parametrize(
    ("text", "ends", "facets"),
    [
        ("A. B.", [3], ["result"]),
        ("A. B.", [3, 5], ["result"]),
        ("A. B.", [5, 3], ["result", "method"]),
        ("A. B.", [3, 5], ["result", "discussion"]),
        ("", [0], []),
    ],
    ids=["too short", "a facet missing", "not ascending", "no facet", "nothing"],
)
def test_invalid_splits_are_refused(text: str, ends: list[int], facets: list[str]) -> None:
    with pytest.raises(ConfigError, match=r"\d+ sentences and \d+ facets .* \d+ characters"):
        join_by_facet(text, ends, facets)


def test_a_part_may_be_empty() -> None:
    assert join_by_facet("A. B.", [3, 5], ["result", "result"]) == {
        "background": "",
        "method": "",
        "result": "A. B.",
    }
    assert join_by_facet("", [], []) == dict.fromkeys(FACETS, "")
