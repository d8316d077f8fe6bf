"""Cypher as tokens, in the same way for both engines.

A character that the engines read differently becomes a token that no rule accepts, so that
`store.read_only` refuses the statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

Kind = Literal["text", "quoted", "parameter", "number", "word", "sign"]
_TOKEN = re.compile(
    r"""
      (?P<skipped> \s+ | //[^\r\n]* | /\*.*?(?:\*/|\Z) )
    | (?P<text> '(?:[^'\\]|\\.)*+' | "(?:[^"\\]|\\.)*+" )
    | (?P<quoted> `(?:[^`]|``)*` )
    | (?P<parameter> \$(?: `(?:[^`]|``)*` | [^\W\d]\w* | \d+ ) )
    | (?P<number> 0[xX][0-9a-fA-F]+\b | \d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)? )
    | (?P<word> [^\W\d]\w* )
    | (?P<sign> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_QUOTES = ("'", '"', "`")
_LONGEST_KEPT = 4_000
"""Characters of a statement whose tokens are kept for the next time."""
_ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")


class Token(NamedTuple):
    """A part of a statement, except blanks and comments."""

    kind: Kind
    """`quoted` is a name in backticks, `text` a string literal, `sign` any other character."""
    text: str
    start: int
    """Position in the statement, in characters."""

    @property
    def name(self) -> str:
        """A word or quoted name or parameter without its quotes and dollar sign."""
        text = self.text.removeprefix("$")
        return text[1:-1].replace("``", "`") if text.startswith("`") else text


def split_tokens(text: str) -> tuple[Token, ...]:
    """The tokens of a statement, in order; an opening quote that no other closes is the last."""
    # Tokens of a long text need a hundred times its memory.
    return (_split_short if len(text) <= _LONGEST_KEPT else _split)(text)


def _split(text: str) -> tuple[Token, ...]:
    tokens = []
    for found in _TOKEN.finditer(text):
        if found.lastgroup != "skipped":
            token = Token(found.lastgroup, found.group(), found.start())  # type: ignore[arg-type]
            tokens.append(token)
            if token.text in _QUOTES:  # what follows would be searched for its end again and again
                break
    return tuple(tokens)


_split_short = lru_cache(maxsize=512)(_split)


def decode_escapes(text: str) -> str:
    r"""A statement with each ``\uXXXX`` replaced by its character, as Neo4j does before parsing."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)


def find_ascii_escape(text: str) -> str:
    r"""The first ``\uXXXX`` of an ASCII character, which may begin or end a text or a comment."""
    found = (found[0] for found in _ESCAPE.finditer(text) if int(found[1], 16) < 0x80)
    return next(found, "")


def has_own_transactions(text: str) -> bool:
    """Whether a statement may contain IN TRANSACTIONS, which cannot run within a transaction."""
    words = {token.text.upper() for token in split_tokens(text) if token.kind == "word"}
    return {"CALL", "IN", "TRANSACTIONS"} <= words


def split_prefix(tokens: Sequence[Token]) -> int:
    """Number of leading tokens that set how a statement is run: EXPLAIN, PROFILE, CYPHER 5."""
    words, count = [token.text.upper() for token in tokens[:8]], 0
    while words[count : count + 1] in (["EXPLAIN"], ["PROFILE"]):
        count += 1
    if words[count : count + 1] == ["CYPHER"] and words[count + 1 : count + 2]:
        count += 2 * words[count + 1].isdecimal()
    return count
