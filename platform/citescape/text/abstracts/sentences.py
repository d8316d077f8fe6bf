"""Sentences of an abstract as the offsets at which they end: no character is lost or changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from citescape.loaders.sentences import split_sentences

SENTENCES_VERSION = 1
"""Of how abstracts are cut into sentences: another one, another run."""


def sentence_ends(text: str, begins: Sequence[int] = ()) -> list[int]:
    """Where each sentence ends, ascending, the last at `len(text)`; none for the empty text.

    White space between sentences belongs to the one before it, at the start to the first.

    Args:
        text: of any length.
        begins: offsets at which a sentence begins in any case, such as those of headed parts.
    """
    borders = sorted({0, len(text), *begins})
    ends: list[int] = []
    for begin, end in pairwise(borders):
        starts = split_sentences(text[begin:end])
        ends += [begin + start for start in starts[1:]] + [end]
    return ends


def cut(text: str, ends: Sequence[int]) -> list[str]:
    """The sentences; joined they are the text."""
    return [text[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
