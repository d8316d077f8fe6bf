"""Sentences around citations.

The splitter is nupunkt (Punkt, trained, MIT): it knows "et al." and "Fig."; some abbreviations of
the sciences are added. A marker glued to a full stop ("yields.12 The", "yields.[12] The") closes
the sentence before it, which no splitter knows: such markers are blanked before splitting.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache

import nupunkt

_ABBREVIATIONS = (
    "cv", "cvs", "sp", "spp", "subsp", "ssp", "var", "nov", "approx", "ca", "resp", "ref", "refs",
    "eq", "eqs", "fig", "figs", "suppl", "tab", "sec", "ed", "eds", "et al", "al", "cf", "vs",
)  # fmt: skip
_FILL = "\ue000"
_STOPS = frozenset(".!?")
# A group of markers after a full stop that closes a sentence: glued to the stop, or bracketed
# after one space; what follows must look like a new sentence. Quantifiers are possessive: the
# pattern would backtrack exponentially over long groups otherwise.
_AFTER_STOP = re.compile(
    rf"(?<=[.!?])(?P<close>[\"'”’)\]]*)(?P<space>\s?)(?P<group>[\[(]?{_FILL}++"
    rf"(?:[\s,;–—−-]++{_FILL}++)*+[\])]?)(?=\s+[^a-z]|\s*$)"
)

Span = tuple[int, int]


@cache
def _splitter() -> nupunkt.PunktSentenceTokenizer:
    splitter = nupunkt.load("default")
    splitter.add_abbreviations(_ABBREVIATIONS)
    return splitter


def split_sentences(text: str, markers: Sequence[Span] = ()) -> list[Span]:
    """Start and end of each sentence; together they cover the text.

    `markers` are the spans of citation markers in `text`, in order.
    """
    return list(_splitter().span_tokenize(_blank_closing_markers(text, markers)))


def sentences_at(text: str, markers: Sequence[Span]) -> list[str]:
    """For each marker the sentence it stands in, white space collapsed."""
    spans = split_sentences(text, markers)
    starts = [start for start, _ in spans]
    found = [spans[max(bisect_right(starts, start) - 1, 0)] for start, _ in markers if spans]
    texts = {span: " ".join(text[slice(*span)].split()) for span in set(found)}
    return [texts[span] for span in found] or [""] * len(markers)


def _blank_closing_markers(text: str, markers: Sequence[Span]) -> str:
    """The text with spaces in place of markers that follow a full stop and end its sentence."""
    if not any(_STOPS.intersection(text[max(start - 4, 0) : start]) for start, _ in markers):
        return text
    masked = list(text)
    for start, end in markers:
        masked[start:end] = _FILL * (end - start)
    blanked = list(text)
    for found in _AFTER_STOP.finditer("".join(masked)):
        start, end = found.span("group")
        if not found.group("space") or found.group("group")[0] in "[(":
            blanked[start:end] = " " * (end - start)
    return "".join(blanked)
