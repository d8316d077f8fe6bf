"""Texts that are too long for what they are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from citescape.core.errors import SourceError
from citescape.core.types import (
    Abstract,
    Author,
    Identifiers,
    Institution,
    Paper,
    Reference,
    Section,
    Venue,
)
from citescape.loaders.json_values import as_text
from citescape.loaders.record_values import to_text
from citescape.loaders.text_limits import LONGEST_TEXT, LONGEST_VALUE, check_texts

LONG = "x" * (LONGEST_TEXT + 1)
NO_IDS = Identifiers()
PLACES: dict[str, Callable[[str], dict[str, object]]] = {
    "title": lambda text: {"title": text},
    "abstract": lambda text: {"abstract": text},
    "other abstract": lambda text: {"other_abstracts": (Abstract("tldr", text),)},
    "journal": lambda text: {"venue": Venue(text)},
    "surname": lambda text: {"authors": (Author(text),)},
    "given names": lambda text: {"authors": (Author("Li", text),)},
    "affiliation": lambda text: {"institutions": (Institution(text),)},
    "keyword": lambda text: {"keywords": (text,)},
    "subject": lambda text: {"subjects": (text,)},
    "heading": lambda text: {
        "sections": (Section(text, "body", 1, None, "", 0, "", "other", "none", False),)
    },
    "reference": lambda text: {
        "references": (Reference("r", "", NO_IDS, "", "", None, "", "", (), False, text),)
    },
}


def paper(**fields: object) -> Paper:
    return Paper(**{"path": "p.json", "sha256": "", "ids": NO_IDS, "title": "On x", **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize("place", PLACES)
def test_a_long_text_anywhere_is_refused(place: str) -> None:
    right = paper(**PLACES[place](LONG[1:]))
    assert check_texts(right) is right
    with pytest.raises(SourceError, match=r"1,000,001 characters.*at most 1,000,000") as refused:
        check_texts(paper(**PLACES[place](LONG)))
    assert (refused.value.reason, refused.value.path) == ("too-large", "p.json")


def test_values_are_read_up_to_a_limit() -> None:
    for read in (to_text, as_text):
        assert len(read("x y " * LONGEST_VALUE)) <= LONGEST_VALUE
        assert read("x  y ") == "x y"
