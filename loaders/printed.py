"""Names of people, as reference lists print them."""

from __future__ import annotations

import re

from citescape.core.types import Author
from citescape.loaders.table_rows import split_name

_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.-?){1,5}")
_PLAIN = re.compile(r"[^\W\d_](?:-?[^\W\d_]){0,3}")
_UNKNOWN = (
    "[anonymous]",
    "anonymous",
    "anon",
    "[no author name available]",
    "[no author id available]",
)


def split_printed_name(text: str) -> Author | None:
    """`Smith J.A.`, `SMITH JA`, `Smith, J.`, `*WHO` (a group); None for an unknown author."""
    name = text.strip(" ,;")
    if not name.strip(".*") or name.lower() in _UNKNOWN:
        return None
    if name.startswith("*"):
        return Author(name.lstrip("* "), role="group")
    if "," in name:
        return split_name(name)
    words = name.split()
    first = len(words)
    while first > 1 and _DOTTED.fullmatch(words[first - 1]):
        first -= 1
    if first == len(words) > 1 and _PLAIN.fullmatch(words[-1]) and words[-1].isupper():
        first -= 1
    return Author(" ".join(words[:first]), " ".join(words[first:]))
