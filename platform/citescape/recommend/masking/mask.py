"""Sentences without what tells which work they cite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from citescape.recommend.masking.places import Citation, Place, find_places

TARGET, OTHER = "TARGETCIT", "OTHERCIT"
"""What stands in a context in place of the citation in question, and of others (HAtten)."""
_DASHES = " –—‐‑‒−-"
_JOINT = re.compile(rf"\s*[,;]?\s*|[{_DASHES}]*")
_WORD = rf"(?:{TARGET}|{OTHER})"
_LIST = rf"{_WORD}(?:[\s,;:&–—-]*(?:and\s+)?{_WORD})*"
LEAD = r"(?:e\.\s?g\.|i\.e\.|cf\.|see|also|but|and|or|refs?\.|reviewe?d?\s+(?:in|by|of))"
"""What leads to a citation."""
_TIDIED = (
    (rf"\s*(?:\(\s*{_LIST}[\s,;]*\)|\[\s*{_LIST}[\s,;]*\])", ""),
    (rf"\s*{_LIST}", ""),
    (rf"(?i)\s[(\[]\s*(?:(?:{LEAD}|[,;&.])\s*)+[)\]]", ""),
    (r"([,;])(?:\s*[,;])+", r"\1"),
    (r"[\s,;]+([.!?])(\s|$)", r"\1\2"),
    (r"\s+([,;:)\]])", r"\1"),
    (r"([(\[])\s+", r"\1"),
    (r"\s+", " "),
)
"""What is put in place of what, in this order."""


@dataclass(frozen=True)
class Masked:
    """A sentence, once for each work that it cites."""

    texts: dict[str, str]
    """Id of the work -> the sentence: `TARGETCIT` where that work is first cited, `OTHERCIT` for
    all other citations. It has no `TARGETCIT` where the work's marker was not found."""
    found: tuple[str, ...]
    """For each citation one of `places.FOUND`."""


def mask(text: str, citations: Sequence[Citation]) -> Masked:
    """A sentence with its citations taken out, names, years, numbers and their brackets with them.

    `Smith (2001) and others [3, 7–9]` becomes, for the work of number 3,
    `OTHERCIT and others [TARGETCIT, OTHERCIT, OTHERCIT]`. What is not part of a citation stays as
    it is.

    Args:
        text: the sentence.
        citations: all that stand in it, in reading order.
    """
    places, found = find_places(text, citations)
    pieces = _cut(text, places)
    texts = {}
    for work in dict.fromkeys(one.cited for one in citations if one.cited is not None):
        words = [OTHER] * len(places)
        for k, place in enumerate(places):
            if any(citations[number].cited == work for number in place.citations):
                words[k] = TARGET
                break
        texts[work] = _join(pieces, words)
    return Masked(texts, tuple(found))


def strip_placeholders(texts: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray | pa.Array:
    """Contexts without `TARGETCIT` and `OTHERCIT`, nor what these leave behind.

    For what reads words: encoders and BM25. Of `(see TARGETCIT)` nothing stays; white space is
    collapsed.
    """
    for pattern, put in _TIDIED:
        texts = pc.replace_substring_regex(texts, pattern, put)
    return pc.utf8_trim_whitespace(texts)


def _cut(text: str, places: Sequence[Place]) -> list[str]:
    """The text before, between and behind places, lists of citations tidied."""
    pieces: list[str] = []
    done, closed = 0, ""
    for start, end, _ in places:
        between = text[done:start]
        if pieces and _JOINT.fullmatch(between):
            between = f"{between.strip(_DASHES) or ','} "
        opened, closing = _brackets(text[start:end])
        pieces.append(closed + between + opened)
        done, closed = end, closing
    return [*pieces, closed + text[done:]]


def _brackets(place: str) -> tuple[str, str]:
    """The brackets that a place opens and does not close, and those it closes only."""
    opened = closed = ""
    for opening, closing in ("()", "[]"):
        missing = place.count(opening) - place.count(closing)
        opened += opening * missing
        closed += closing * -missing
    return opened, closed


def _join(pieces: Sequence[str], words: Sequence[str]) -> str:
    parts = [part for pair in zip(pieces, words, strict=False) for part in pair]
    return "".join((*parts, pieces[-1]))
