"""Sentences in which several places need a citation: the part of the sentence for each place."""

from __future__ import annotations

from typing import NamedTuple

from citescape.recommend.drafts.citations import find_places, remove_citations
from citescape.recommend.drafts.marks import MARK


class SentencePart(NamedTuple):
    """A place of a sentence that needs a citation."""

    markers: tuple[str, ...]
    """Characters of its markers; markers without words between them are one place."""
    text: str
    """Plain text from the citation or place before to this one, for the last place to the end of
    the sentence; empty if this is the only place, or if no words are before it."""


def split_places(sentence: str) -> list[SentencePart]:
    """The places of a sentence whose citations and markers are characters, see `marks`."""
    places: list[SentencePart] = []
    begin, found = 0, list(find_places(sentence))
    for number, match in enumerate(found):
        markers = tuple(MARK.findall(match.group()))
        end = match.start() if number < len(found) - 1 else len(sentence)
        text = remove_citations(sentence[begin:end])
        begin = match.end()
        if not markers:
            continue
        if any(map(str.isalpha, text)) or not places:
            places.append(SentencePart(markers, text if any(map(str.isalpha, text)) else ""))
        else:
            places[-1] = SentencePart((*places[-1].markers, *markers), places[-1].text)
    return places if len(places) > 1 else [place._replace(text="") for place in places]
