"""Cypher as tokens, in the same way for both engines.

Where engines read a character differently, it becomes a token that no rule knows: `reading` then
refuses the statement.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["text", "quoted", "parameter", "number", "word", "sign"]
_TOKEN = re.compile(
    r"""
      (?P<skipped> \s+ | //[^\r\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<text> '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" )
    | (?P<quoted> `(?:[^`]|``)*` )
    | (?P<parameter> \$(?: `(?:[^`]|``)*` | \w+ ) )
    | (?P<number> \d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)? )
    | (?P<word> [^\W\d]\w* )
    | (?P<sign> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")


class Token(NamedTuple):
    """A piece of a statement; blanks and comments are none."""

    kind: Kind
    """`quoted` is a name in backticks, `text` a string literal, `sign` any other character."""
    text: str
    start: int
    """Its place in the statement, in characters."""

    @property
    def name(self) -> str:
        """A word or quoted name or parameter without its quotes and dollar sign."""
        text = self.text.removeprefix("$")
        return text[1:-1].replace("``", "`") if text.startswith("`") else text


@lru_cache(maxsize=512)
def split_tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a statement, in order."""
    return tuple(
        Token(found.lastgroup, found.group(), found.start())  # type: ignore[arg-type]
        for found in _TOKEN.finditer(text)
        if found.lastgroup != "skipped"
    )


def decode_escapes(text: str) -> str:
    r"""A statement with each ``\uXXXX`` replaced by its character, as Neo4j does before parsing."""
    return _ESCAPE.sub(lambda found: chr(int(found.group(1), 16)), text)
