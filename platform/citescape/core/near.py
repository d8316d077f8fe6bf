"""Suggestions for a mistyped name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_MIN_SIMILARITY = 0.75
"""Minimum similarity of a suggested name, 0 to 1."""


def find_near(name: str, known: Iterable[str], *, most: int = 2) -> list[str]:
    """Known names that are similar to a name, the most similar first; empty without any.

    Case and separators of words do not count. A name of several parts (`train graph`,
    `explore/totals`) is also known by its last part.

    Args:
        name: name as typed.
        known: existing names.
        most: maximum number of names.
    """
    folded = _fold(name)
    names: dict[str, list[str]] = {}
    """Folded name or last part of a name -> names."""
    for item in known:
        for key in dict.fromkeys((_fold(item), _fold(item.replace("/", " ").split()[-1:]))):
            names.setdefault(key, []).append(item)
    if folded in names:
        return names[folded][:most]
    similar = get_close_matches(folded, names, n=most, cutoff=_MIN_SIMILARITY)
    similar += [key for key in names if len(folded) > 2 and folded in key]
    return list(dict.fromkeys(item for key in similar for item in names[key]))[:most]


def _fold(name: str | list[str]) -> str:
    return "".join(character for character in "".join(name).casefold() if character.isalnum())
