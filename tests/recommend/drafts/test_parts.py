"""Parts of sentences in which several places need a citation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citescape.recommend.drafts.marks import ANY, CITED
from citescape.recommend.drafts.parts import split_places

FIRST, SECOND = "\U000f0000", "\U000f0001"
WORDS = ("rust ", "grows ", ", ", "and ")
PIECES = st.sampled_from((f"[{FIRST}]", f"[{SECOND}]", f"[{CITED}]", *WORDS))


def test_the_part_of_the_only_place_is_empty() -> None:
    assert split_places(f"Rust [{CITED}] grows [{FIRST}].") == [((FIRST,), "")]
    assert split_places(f"Rust grows [{FIRST}], [{SECOND}].") == [((FIRST, SECOND), "")]
    assert split_places("Rust grows.") == []


def test_citations_and_places_limit_parts() -> None:
    sentence = f"Rust [{FIRST}] and mould [{CITED}] grow [{SECOND}] in rain."
    assert split_places(sentence) == [((FIRST,), "Rust"), ((SECOND,), "grow in rain.")]
    assert split_places(f"[{FIRST}] saw that mould grows [{SECOND}].") == [
        ((FIRST,), ""),
        ((SECOND,), "saw that mould grows."),
    ]


@given(st.lists(PIECES, max_size=12).map("".join))
def test_each_marker_belongs_to_one_place_in_order(sentence: str) -> None:
    places = split_places(sentence)
    markers = [marker for place in places for marker in place.markers]
    assert markers == [sign for sign in ANY.findall(sentence) if sign != CITED]
    assert all(place.text for place in places[1:])
    assert not any(ANY.search(place.text) for place in places)
    assert len(places) != 1 or not places[0].text
