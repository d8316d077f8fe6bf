"""A manuscript as plain text, with one character for each marker."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

TABLES, REFERENCES = "tables", "the reference list"
"""Parts without sentences, whose markers are skipped."""
_LISTED = re.compile(
    r"\W*(?:(?:\d+|[ivx]+)[.\s]+)?(?:references?(?: list)?|list of references|bibliography"
    r"|(?:literature|works|references) cited|literature|cited literature)\W*",
    re.IGNORECASE,
)


def heads_references(heading: str) -> bool:
    """Whether a heading is that of the reference list."""
    return bool(_LISTED.fullmatch(heading))


class Passage(NamedTuple):
    """A paragraph with markers."""

    section: str
    """The heading above it."""
    text: str
    """Plain text with the characters of its markers."""


@dataclass(frozen=True)
class Manuscript:
    """Title, abstract and marked passages of a draft."""

    title: str
    abstract: str
    passages: tuple[Passage, ...]
