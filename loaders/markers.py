"""Citation markers in running text: expands ranges such as `3-6`.

Publishers write a range as two pointers with a dash between them, or as one pointer with the
whole range as its text. The works inside are cited without a pointer; they are added here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_DASHES = frozenset("-‐‑‒–—−")
_NUMBER = re.compile(r"[\[(\s]*(\d{1,4})[\])\s]*")
_LIST = re.compile(r"[\[(\s]*\d{1,4}(?:\s*[,;‐‑‒–—−-]\s*\d{1,4})+[\])\s]*")
_LONGEST_RANGE = 200
_LONGEST_LIST = 1000
"""Maximum number of works in one marker; longer ranges are ignored."""
_LONGEST_JOINT = 5
"""Maximum characters between the two ends of a range: a dash and spaces."""
_LOWEST_YEAR = 1500
_PART = re.compile(r"(\d{1,4})\s*([-‐‑‒–—−]?)")


@dataclass(frozen=True)
class Numbering:
    """The printed number of each reference: its label, else its rank; None without a number."""

    numbers: tuple[int | None, ...]

    def rank(self, index: int) -> int:
        """Sort key of a reference: its number; 0 without a number."""
        return self.numbers[index] or 0

    @cached_property
    def by_number(self) -> dict[int, int]:
        """Number -> index of the reference."""
        return {number: i for i, number in enumerate(self.numbers) if number is not None}


class Anchor(NamedTuple):
    """One pointer in a block of text: its span and the indices of its references."""

    start: int
    end: int
    references: tuple[int, ...]


class Expansion(NamedTuple):
    """The citations of a block. `unclear` works are in ranges that fit no numbering."""

    pointers: list[tuple[int, int]]
    """For each citation the indices of its anchor and of its reference."""
    implied: int
    unclear: int


def expand(text: str, anchors: Sequence[Anchor], numbering: Numbering) -> Expansion:
    """Every citation of a block, including those inside ranges.

    Args:
        text: text of the block.
        anchors: pointers in reading order, with their spans in the text.
        numbering: printed numbers of the references of the paper.
    """
    pointers: list[tuple[int, int]] = []
    spelled_out: set[int] | None = None
    implied = unclear = 0
    for at, anchor in enumerate(anchors):
        start, end, references = anchor
        inside: Sequence[int] = ()
        if not text[start:end].isdigit():
            inside = _inside(text, anchor, numbering.numbers)
        if at and not inside and start - anchors[at - 1].end <= _LONGEST_JOINT:
            inside = _between(text, (anchors[at - 1], anchor), numbering.numbers)
        if inside:
            known = [numbering.by_number[n] for n in inside if n in numbering.by_number]
            unclear += len(inside) - len(known)
            if spelled_out is None:
                spelled_out = _empty(text, anchors)
            pointed = spelled_out.union(references)
            added = [i for i in known if i not in pointed]
            implied += len(added)
            references = tuple(sorted((*added, *references), key=numbering.rank))
        pointers += [(at, i) for i in references]
    return Expansion(pointers, implied, unclear)


def _empty(text: str, anchors: Sequence[Anchor]) -> set[int]:
    """References whose pointer shows no text: the file lists the inside of a range."""
    empty = (a for a in anchors if not text[a.start : a.end].strip())
    return {i for anchor in empty for i in anchor.references}


def _number_at(text: str, anchor: Anchor) -> int | None:
    """The number printed at an anchor that names one reference."""
    found = _NUMBER.fullmatch(text[anchor.start : anchor.end])
    return int(found.group(1)) if found and len(anchor.references) == 1 else None


def _between(
    text: str, pair: tuple[Anchor, Anchor], numbers: Sequence[int | None]
) -> Sequence[int]:
    """Numbers strictly between two anchors that are joined by a dash.

    Where the printed numbers are not those of the references (years, a list numbered otherwise)
    the numbers are negated: they fit no reference and are counted as unclear.
    """
    first, last = pair
    if text[first.end : last.start].strip() not in _DASHES:
        return ()
    low, high = _number_at(text, first), _number_at(text, last)
    if low is None or high is None or not 0 < high - low < _LONGEST_RANGE:
        return ()
    if numbers[first.references[0]] == low and numbers[last.references[0]] == high:
        return range(low + 1, high)
    return range(-high + 1, -low) if low < _LOWEST_YEAR else ()


def _inside(text: str, anchor: Anchor, numbers: Sequence[int | None]) -> Sequence[int]:
    """Numbers printed in one anchor beyond the references it names: `3-6`, `3, 5` with one id."""
    marker = text[anchor.start : anchor.end]
    if not _LIST.fullmatch(marker):
        return ()
    printed = _printed(marker)
    named = {numbers[i] for i in anchor.references}
    return [n for n in printed if n not in named] if not named.isdisjoint(printed) else ()


def _printed(marker: str) -> Sequence[int]:
    """The numbers of a list such as `3-6, 9`, once each; empty if the list is too long."""
    printed: dict[int, None] = {}
    low: int | None = None
    for found in _PART.finditer(marker):
        value = int(found[1])
        span = range(value if low is None else low + 1, value + 1)
        if len(span) > _LONGEST_RANGE or len(printed) > _LONGEST_LIST:
            return ()
        printed.update(dict.fromkeys(span or (value,)))
        low = value if found[2] else None
    return list(printed)
