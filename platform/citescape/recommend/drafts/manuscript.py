"""A manuscript as plain text, in which each place that wants a citation is one character."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

TABLES, REFERENCES = "tables", "the reference list"
"""Where what is marked is left out: there are no sentences."""
_LISTED = re.compile(
    r"\W*(?:(?:\d+|[ivx]+)[.\s]+)?(?:references?(?: list)?|list of references|bibliography"
    r"|(?:literature|works|references) cited|literature|cited literature)\W*",
    re.IGNORECASE,
)


def heads_references(heading: str) -> bool:
    """Whether the reference list stands below a heading."""
    return bool(_LISTED.fullmatch(heading))


class Passage(NamedTuple):
    """A paragraph in which something is to be cited."""

    section: str
    """The heading above it."""
    text: str
    """Plain, with the characters of its markers."""


@dataclass(frozen=True)
class Manuscript:
    """What a draft says, whatever its format."""

    title: str
    abstract: str
    passages: tuple[Passage, ...]
