"""Names that somebody who mistyped one may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_LIKENESS = 0.75
"""Least similarity, from 0 to 1, of a name that is suggested."""


def find_near(name: str, known: Iterable[str], *, most: int = 2) -> list[str]:
    """Known names that are like one, the likeliest first; none where nothing is like it.

    Case and what stands between words do not count. A name of several parts (`train graph`,
    `explore/totals`) is also known by its last part.

    Args:
        name: what was written.
        known: names there are.
        most: maximum number of names.
    """
    wanted = _fold(name)
    ways: dict[str, list[str]] = {}
    for one in known:
        for way in dict.fromkeys((_fold(one), _fold(one.replace("/", " ").split()[-1:]))):
            ways.setdefault(way, []).append(one)
    if wanted in ways:
        return ways[wanted][:most]
    like = get_close_matches(wanted, ways, n=most, cutoff=_LIKENESS)
    like += [way for way in ways if len(wanted) > 2 and wanted in way]
    return list(dict.fromkeys(one for way in like for one in ways[way]))[:most]


def _fold(name: str | list[str]) -> str:
    return "".join(character for character in "".join(name).casefold() if character.isalnum())
