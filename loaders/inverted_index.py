"""Abstracts of OpenAlex: an index from words to their positions -> text.

Positions may be missing, repeated or far apart. Memory is bounded by the number of positions, not
by the largest one, and the text by `LONGEST`: a single word may claim any number of positions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from citescape.loaders.markup import strip_markup
from citescape.loaders.record_values import Record, to_list, to_mapping

LONGEST = 1_000_000
"""Characters of an abstract; what is longer is cut."""


def read_inverted_index(value: object) -> tuple[str, bool]:
    """The text, and whether words were left out: no position, or over `LONGEST` characters.

    Args:
        value: a mapping of words to lists of positions, the same as a JSON string or as pairs, or
            with it under `InvertedIndex`, as Microsoft Academic Graph wrote it; or plain text.
    """
    index = to_mapping(value)
    if "IndexLength" in index and "InvertedIndex" in index:
        index = to_mapping(index["InvertedIndex"])
    if not index:
        plain = value if isinstance(value, str) and value.lstrip()[:1] not in ("{", "[") else ""
        return _plain(plain[:LONGEST]), len(plain) > LONGEST
    text = _join_complete(index)
    return (text, False) if text is not None else _join(index)


def _join_complete(index: Record) -> str | None:
    """The text if each position from 0 on has one word, as in nearly all abstracts; else None."""
    try:
        length = sum(map(len, index.values()))
        if length * (max(map(len, index)) + 1) > LONGEST:
            return None
        words = [""] * (2 * length)  # negative positions are written to the second half
        for word, positions in index.items():
            for position in positions:
                words[position] = word
    except (TypeError, IndexError):
        return None
    del words[length:]
    return None if "" in words else _plain(" ".join(words))


def _join(index: Record) -> tuple[str, bool]:
    """The words in the order of their positions; of several with one position, all."""
    claimed = sum(len(to_list(positions)) for positions in index.values())
    pairs = sorted(islice(_positions(index), LONGEST), key=lambda pair: pair[0])
    words: list[str] = []
    length = -1
    for _, word in pairs:
        length += len(word) + 1
        if length > LONGEST:
            break
        words.append(word)
    return _plain(" ".join(words)), len(words) < claimed


def _plain(text: str) -> str:
    """Text without markup and without zero bytes, which no store accepts."""
    return strip_markup(text.replace("\0", " "))


def _positions(index: Record) -> Iterator[tuple[int, str]]:
    for word, positions in index.items():
        for place in to_list(positions):
            if type(place) is int and place >= 0 and isinstance(word, str):
                yield place, word
