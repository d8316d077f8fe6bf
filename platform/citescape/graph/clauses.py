"""Which clause of a statement changes the graph, told without running it.

Names may look like clauses (`RETURN n AS set`, `p.create`, `(merge:Paper)`), so the text is read
token by token: after an operand only an operator or a clause can follow, anywhere else a word is a
name. Strings, comments and back-quoted names are tokens of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


CHANGES = _words(
    "CREATE INSERT MERGE SET DELETE DETACH NODETACH REMOVE FOREACH DROP ALTER COPY IMPORT EXPORT "
    "LOAD INSTALL UNINSTALL UPDATE ATTACH COMMENT BEGIN COMMIT ROLLBACK CHECKPOINT GRANT DENY "
    "REVOKE RENAME START STOP ENABLE TERMINATE DEALLOCATE REALLOCATE"
)
"""Clauses and commands, on either engine, that do more than read the graph.

COPY and EXPORT write files beside it; LOAD reads other files, or runs the code of an extension.
"""

_VERBS = _words(
    "clear commit create delete drop export import load merge mutate periodic refactor remove "
    "rename set trigger write"
)
"""Words in the names of procedures that do more than read."""

_TOKEN = re.compile(
    r"""(?:\s | //[^\r\n]* | /\*.*?(?:\*/|\Z))*+       # what separates tokens
    ( '(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*"            # text
    | \$?`(?:[^`]|``)*` | \$\w+ | [^\W\d]\w*           # names, parameters and words
    | \d+(?:[eE][+-]?\d+|x[0-9a-fA-F]+|o[0-7]+)?       # numbers
    | \S | \Z )""",
    re.VERBOSE | re.DOTALL,
)
_WORD = re.compile(r"[^\W\d]\w*")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")

_BEFORE_NAME = _words(
    "MATCH RETURN WITH WHERE UNWIND BY SKIP LIMIT OFFSET AS AND OR XOR NOT IN IS CONTAINS DISTINCT "
    "CASE WHEN THEN ELSE CALL YIELD USING ON USE FROM"
)
"""Keywords that an operand or a pattern follows."""
_WITHIN_OPERAND = _words("NOT DISTINCT CASE WHEN THEN ELSE")
"""Those of them that may stand where an operand is expected."""
_OPERATORS = frozenset("([,.:|&!=<>+-/%^*~")


def find_change(text: str) -> str:
    """The first clause that does more than read the graph, such as `SET`; empty if none.

    A procedure counts if a word of its name says that it changes something. It is a guard against
    mistakes, not against malice: that is what a store opened read-only is for.
    """
    tokens = _TOKEN.findall(text)
    name_next = False
    for at, token in enumerate(tokens):
        if _is_keyword(tokens, at, name_next=name_next):
            found = _change(token.upper(), tokens[at + 1 :])
            if found:
                return found
        name_next = _name_follows(tokens, at, name_next=name_next)
    return ""


def _is_keyword(tokens: Sequence[str], at: int, *, name_next: bool) -> bool:
    token, before = tokens[at], tokens[at - 1] if at else ";"
    if not _WORD.fullmatch(token) or before in (".", ":") or before.upper() == "AS":
        return False
    if before == "{" and tokens[at + 1 : at + 2] in ([":"], [","], ["}"]):
        return False  # the first key of a map
    return not name_next or token.upper() in _WITHIN_OPERAND


def _name_follows(tokens: Sequence[str], at: int, *, name_next: bool) -> bool:
    """Whether what comes after this token is an operand, so that a word there is a name."""
    token, before = tokens[at], tokens[at - 1] if at else ";"
    if token in ("*", "+"):  # `RETURN *` and the quantifier of `((a)-->(b))+` end an operand
        return before != ")" and not (token == "*" and name_next)
    if _is_keyword(tokens, at, name_next=name_next):
        return token.upper() in _BEFORE_NAME
    return token in _OPERATORS


def _change(keyword: str, rest: Sequence[str]) -> str:
    if keyword == "CALL":
        name = "".join(takewhile(lambda token: token == "." or _WORD.fullmatch(token), rest))
        words = {word.lower() for word in _PART.findall(name)}
        return f"CALL {name}" if words & _VERBS else ""
    return keyword if keyword in CHANGES else ""
